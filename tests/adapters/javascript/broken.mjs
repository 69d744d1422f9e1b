/**
 * The reading, broken in one way each; the first argument names it. The court has to catch every one.
 */

import { serve } from '../../../kits/node/adapter.mjs'
import { VirtualTime } from '../../../kits/node/virtual-time.mjs'
import { World } from '../../../kits/node/world.mjs'
import { open } from './live.mjs'
import { reading } from './reading.mjs'

const { handlers } = reading

const careless = new World(new VirtualTime(), (host) => {
  host.barrier = async () => 'ok'
  return open(host)
})

/** @type {Record<string, Record<string, (request: any) => any>>} */
const BROKEN = {
  /** The next target is counted from the decision, not from the anchor. */
  drifts: {
    advance: async (request) => {
      const result = await handlers.advance(request)
      const next = request.acceptedAt + request.record.everySeconds * 1000
      return { ...result, ...(result.nextScheduledAt && { nextScheduledAt: new Date(next).toISOString() }) }
    },
  },
  /** JSON of another library: all but ASCII is escaped. */
  escapes_beyond_ascii: {
    frame: async (request) => {
      const { text } = await handlers.frame(request)
      const escaped = (/** @type {string} */ unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
      return { text: text.replace(/[^\0-\x7f]/g, escaped) }
    },
  },
  /** An unknown offset is taken for UTC. */
  accepts_unknown_offset: {
    create: (request) => {
      const { at } = request
      return handlers.create(typeof at === 'string' ? { ...request, at: at.replace(/-00:00$/, 'Z') } : request)
    },
  },
  /** A version is compared loosely. */
  accepts_version_as_text: {
    decode: async (request) => {
      const loose = request.change?.version == 1 // the fault
      const { change } = await handlers.decode(loose ? { change: { ...request.change, version: 1 } } : request)
      return { change }
    },
  },
  /** What is no change makes it crash. */
  crashes_on_corrupt: {
    decode: async (request) => {
      try {
        return await handlers.decode(request)
      } catch {
        throw new TypeError("Cannot read properties of undefined (reading 'schedule')")
      }
    },
  },
  /** What is read is not made durable first. */
  skips_barriers: careless.handlers,
}

const name = process.argv[2]
const begin = name === 'skips_barriers' ? careless.begin : reading.begin
await serve({ ...reading, begin, handlers: { ...handlers, ...BROKEN[name] } })
