/**
 * From a log's events to its state: the active records in creation order, and the ids seen.
 *
 * Clauses: fold.*, fork.*, id.never-reused.
 */

import { isObject } from '../../../kits/node/adapter.mjs'
import { corrupt, decodeChange } from './changes.mjs'
import { parseInstant } from './instants.mjs'
import { advanced } from './rate.mjs'

/**
 * @param {unknown} events
 * @param {unknown} seedLength how many events were inherited
 * @returns {{ active: Record<string, any>[], seen: string[] }}
 */
export function fold(events, seedLength) {
  if (!Array.isArray(events)) corrupt('a log is a list of events')
  if (!Number.isSafeInteger(seedLength) || seedLength < 0 || seedLength > events.length) {
    corrupt('seedLength is no number of events of this log')
  }
  /** @type {Map<string, Record<string, any>>} */
  const active = new Map()
  /** @type {Set<string>} */
  const seen = new Set()
  for (let position = seedLength; position < events.length; position += 1) {
    const event = events[position]
    if (!isObject(event)) corrupt('an event is an object')
    if (event.type === 'schedule/change') apply(decodeChange(event.data), active, seen)
  }
  return { active: [...active.values()], seen: [...seen] }
}

/**
 * @param {Record<string, any>} change
 * @param {Map<string, Record<string, any>>} active setting a key it holds keeps that key's place
 * @param {Set<string>} seen
 */
function apply(change, active, seen) {
  if (change.operation === 'create') {
    const { id } = change.schedule
    if (seen.has(id)) corrupt('the id was created before')
    seen.add(id)
    active.set(id, change.schedule)
    return
  }
  const record = active.get(change.id)
  if (record === undefined) return corrupt('the id is not active')
  if (change.operation === 'delete') {
    active.delete(change.id)
    return
  }
  const repeats = record.kind === 'every'
  if (repeats !== Object.hasOwn(change, 'acceptedAt')) {
    corrupt('the shape of the dispatch does not fit the kind of the record')
  }
  const next = repeats ? advanced(record, /** @type {number} */ (parseInstant(change.acceptedAt))) : null
  if (next === null) active.delete(change.id)
  else active.set(change.id, next)
}
