/**
 * A reading of the clauses in JavaScript, held against the law over standard streams: the pure commands, and a live
 * session on the kit's world.
 *
 * Zones are the runtime's own; `process.versions.tz` names their release, so that the suite asks no case of another.
 */

import { members } from '../../../kits/node/adapter.mjs'
import { VirtualTime } from '../../../kits/node/virtual-time.mjs'
import { OBSERVES, World } from '../../../kits/node/world.mjs'
import { corrupt, decodeChange, decodeRecord } from './changes.mjs'
import { create } from './creation.mjs'
import { fold } from './fold.mjs'
import { formatInstant } from './instants.mjs'
import { open } from './live.mjs'
import { advance } from './rate.mjs'
import { due, frame, frameBatch, view } from './showing.mjs'

const world = new World(new VirtualTime(), open)

/** @type {import('../../../kits/node/adapter.mjs').Adapter} */
export const reading = {
  begin: world.begin,
  hello: {
    implementation: { name: 'javascript-reading', version: '1', language: 'JavaScript' },
    profile: 'v1',
    features: [
      ...['decode', 'fold', 'create', 'rate', 'view', 'due', 'frame'],
      ...['tools', 'delivery', 'candidate', 'surrogates'],
    ],
    observes: [...OBSERVES],
    tzdata: process.versions.tz,
  },
  handlers: {
    ...world.handlers,
    decode: (request) => ({ change: decodeChange(members(request, 'corrupt_schedule_log').change) }),
    fold: (request) => fold(request.events, Object.hasOwn(request, 'seedLength') ? request.seedLength : 0),
    create: (request) => ({ record: create(members(request, 'invalid_rule')) }),
    advance: (request) => {
      const record = decodeRecord(request.record)
      if (record.kind !== 'every') corrupt('a one-shot does not advance')
      if (!Number.isSafeInteger(request.acceptedAt)) corrupt('the decision time is no safe integer')
      const { occurrence, next } = advance(record, request.acceptedAt)
      const occurrenceAt = formatInstant(occurrence)
      return next === null ? { occurrenceAt } : { occurrenceAt, nextScheduledAt: formatInstant(next) }
    },
    view: (request) => ({ view: view(request.record, request.now) }),
    due: (request) => due(request.records, request.now),
    frame: (request) => ({ text: frame(request.record) }),
    frame_batch: (request) => ({ text: frameBatch(request.reminders) }),
  },
}
