/**
 * The adapter protocol, version 1, over standard streams: what stands between a Node implementation of the
 * session-local Schedule and `schedule-spec verify --sut "node your-adapter.mjs"`.
 *
 * Requests come as one JSON object a line (UTF-8) on standard input and are answered in order, one line each, on
 * standard output. You supply a function for each command; this module does the rest: framing, `hello`, dispatch, and
 * telling a domain answer (`rejected`) from a fault (`error`).
 *
 * Needs Node 20 or newer and no packages. Copy it as it is.
 */

import { Console } from 'node:console'

/** The protocol's number. */
export const PROTOCOL = 1

/** The closed set of codes (tool.errors-closed). */
export const CODES = Object.freeze([
  'invalid_prompt',
  'invalid_selector',
  'invalid_rule',
  'invalid_time_zone',
  'not_future',
  'time_out_of_range',
  'frequency_too_high',
  'corrupt_schedule_log',
  'persistence_uncertain',
  'internal_error',
])

/**
 * A domain answer: the implementation refuses the input. Throw it from a handler, and only for input that you looked
 * at and refuse; whatever else a handler throws is answered with `error`, which never counts as a rejection.
 */
export class Rejection extends Error {
  /**
   * @param {string} code one of CODES
   * @param {string} [message] for people; the suite never reads it
   */
  constructor(code, message) {
    if (!CODES.includes(code)) throw new TypeError(`no code of the closed set: ${code}`)
    super(message ?? code)
    this.name = 'Rejection'
    this.code = code
    this.given = message
  }
}

/**
 * The implementation does not have this. Throw it from a handler that can't carry out what was asked; a command
 * without a handler is answered so by itself.
 */
export class Unsupported extends Error {
  /** @param {string} feature the feature's name */
  constructor(feature) {
    super(`unsupported: ${feature}`)
    this.name = 'Unsupported'
    this.feature = feature
  }
}

/**
 * @typedef {Record<string, any>} Members an object as JSON.parse gives it
 * @typedef {(request: Members) => Members | Promise<Members>} Handler answers one command with its `result`
 *
 * @typedef {object} Adapter
 * @property {Members} hello what `hello` answers, without `protocol`: implementation, profile, features, observes,
 *   tzdata; the same in every process
 * @property {Record<string, Handler>} handlers by command
 * @property {() => void} [begin] called on every `hello` of this protocol: a new world begins
 */

/**
 * Whether a JSON value is an object: neither null nor an array.
 *
 * @param {unknown} value
 * @returns {value is Members}
 */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The members of a request that may come as JSON text instead (`json`, of `decode` and `create`).
 *
 * The text is parsed here and nowhere else, so that spellings of numbers, duplicate keys (the last counts) and broken
 * text reach the implementation's own reading. Where your implementation has a parser of its own, use that one.
 *
 * @param {Members} request
 * @param {string} code what text that is no JSON, or no object, is rejected with
 * @returns {Members}
 */
export function members(request, code) {
  if (!Object.hasOwn(request, 'json')) return request
  let value
  try {
    value = JSON.parse(request.json)
  } catch {
    throw new Rejection(code, 'the text is no JSON')
  }
  if (!isObject(value)) throw new Rejection(code, 'the text holds no object')
  return value
}

/**
 * The reply to one line, as a line without its end; null for a blank line.
 *
 * @param {Adapter} adapter
 * @param {Uint8Array | string} line without its end
 * @returns {Promise<string | null>}
 */
export async function respond(adapter, line) {
  let request
  try {
    const text = typeof line === 'string' ? line : STRICT_UTF8.decode(line)
    if (BLANK.test(text)) return null
    request = JSON.parse(text)
  } catch (problem) {
    return written({ seq: null, error: { message: `the line is no JSON in UTF-8: ${told(problem)}` } })
  }
  if (!isObject(request) || !Number.isSafeInteger(request.seq) || request.seq < 0) {
    return written({ seq: null, error: { message: 'the line is no object with a `seq`' } })
  }
  const { seq } = request
  try {
    return written({ seq, ...(await answer(adapter, request)) })
  } catch (problem) {
    console.error(problem)
    return written({ seq, error: { message: told(problem) } })
  }
}

/**
 * Serve standard input until it ends, then end the process with status 0.
 *
 * From here on `console.log` and its like write to standard error, since a stray line on standard output would be
 * taken for a reply. What is thrown or rejected outside a handler's own promise, in a timer say, is the answer
 * (`error`) to the request of that moment.
 *
 * @param {Adapter} adapter
 */
export async function serve(adapter) {
  globalThis.console = new Console(process.stderr, process.stderr)
  // The suite is gone: nothing is left to be said.
  process.stdout.on('error', () => process.exit(1))
  const strays = watchForStrays()
  for await (const line of lines(process.stdin)) {
    const reply = await Promise.race([respondAndSettle(adapter, line), strays.next()])
    const stray = strays.take()
    if (stray !== undefined) {
      console.error(stray.problem)
      await write(faulted(line, stray.problem))
    } else if (typeof reply === 'string') {
      await write(reply)
    }
  }
  process.exit(0)
}

/** `ignoreBOM` keeps a byte order mark in the text, where JSON.parse refuses it. */
const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const BLANK = /^[ \t\r]*$/

const LINE_FEED = 0x0a

/** Node's own, whatever virtual time puts in its place later. */
const realSetImmediate = globalThis.setImmediate

/**
 * @param {Adapter} adapter
 * @param {Members} request
 * @returns {Promise<Members>} the reply without its `seq`
 */
async function answer(adapter, request) {
  const { cmd } = request
  if (typeof cmd !== 'string') return { error: { message: '`cmd` is no string' } }
  if (cmd === 'hello') return greet(adapter, request)
  if (!Object.hasOwn(adapter.handlers, cmd)) return { unsupported: { feature: cmd } }
  try {
    const result = await adapter.handlers[cmd](request)
    if (!isObject(result)) return { error: { message: `the handler of ${cmd} returned no object` } }
    return { result }
  } catch (problem) {
    if (problem instanceof Rejection) return { rejected: { code: problem.code, message: problem.given } }
    if (problem instanceof Unsupported) return { unsupported: { feature: problem.feature } }
    throw problem
  }
}

/**
 * @param {Adapter} adapter
 * @param {Members} request
 * @returns {Members}
 */
function greet(adapter, request) {
  if (request.protocol !== PROTOCOL) {
    const asked = JSON.stringify(request.protocol)
    return { error: { message: `protocol ${asked} was asked for; this is protocol ${PROTOCOL}` } }
  }
  adapter.begin?.()
  return { result: { protocol: PROTOCOL, ...adapter.hello } }
}

/**
 * A reply as one line of JSON. JSON.stringify writes unpaired surrogates as escapes, so the line is sound UTF-8.
 *
 * @param {Members} reply
 */
function written(reply) {
  return JSON.stringify(reply, exact)
}

/**
 * JSON.stringify turns what JSON can't say into `null` in silence; an adapter that did so would answer wrongly.
 *
 * @this {any}
 * @param {string} key
 * @param {unknown} value
 */
function exact(key, value) {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${key} of the reply is ${value}`)
  if (value === undefined && Array.isArray(this)) throw new TypeError(`element ${key} of a list is undefined`)
  return value
}

/** @param {unknown} problem */
function told(problem) {
  return problem instanceof Error ? `${problem.name}: ${problem.message}` : `thrown: ${String(problem)}`
}

/**
 * @param {Adapter} adapter
 * @param {Uint8Array} line
 */
async function respondAndSettle(adapter, line) {
  const reply = await respond(adapter, line)
  // Node reports an unhandled rejection once the microtasks are done: wait for that before the answer goes out.
  await new Promise((resolve) => realSetImmediate(resolve))
  return reply
}

/**
 * The answer to a request during which something broke outside its handler.
 *
 * @param {Uint8Array} line
 * @param {unknown} problem
 */
function faulted(line, problem) {
  let seq = null
  try {
    seq = JSON.parse(STRICT_UTF8.decode(line)).seq ?? null
  } catch {
    // No request, so no number either.
  }
  return written({ seq, error: { message: `outside the handler, ${told(problem)}` } })
}

/** What is thrown where no one catches it: `next` resolves when something was, `take` hands it over once. */
function watchForStrays() {
  /** @type {{ problem: unknown } | undefined} */
  let caught
  let wake = () => {}
  const note = (/** @type {unknown} */ problem) => {
    caught ??= { problem }
    wake()
  }
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
  return {
    /** @returns {Promise<void>} */
    next: () => new Promise((resolve) => {
      wake = resolve
      if (caught !== undefined) resolve()
    }),
    take: () => {
      const taken = caught
      caught = undefined
      return taken
    },
  }
}

/**
 * The lines of a stream of bytes, without their ends; a last one may lack its end. Split as bytes: a chunk may end
 * within a character, and no byte of a longer UTF-8 sequence is a line feed.
 *
 * @param {AsyncIterable<Buffer>} stream
 * @returns {AsyncGenerator<Buffer>}
 */
async function* lines(stream) {
  /** @type {Buffer[]} */
  let pending = []
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...pending, chunk.subarray(start, end)])
      pending = []
      start = end + 1
    }
    if (start < chunk.length) pending.push(chunk.subarray(start))
  }
  if (pending.length > 0) yield Buffer.concat(pending)
}

/**
 * @param {string} line
 * @returns {Promise<void>} when the line has been handed to the system
 */
function write(line) {
  return new Promise((resolve) => {
    process.stdout.write(`${line}\n`, () => resolve())
  })
}
