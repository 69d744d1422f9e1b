/**
 * A live session: the three tools and the owner, on the kit's host.
 *
 * Clauses: tool.*, barrier.*, owner.*, deliver.*, fold.candidate.
 */

import { Rejection, isObject } from '../../../kits/node/adapter.mjs'
import { LONGEST_DELAY } from '../../../kits/node/virtual-time.mjs'
import { Refused } from '../../../kits/node/world.mjs'
import { checkShape, create } from './creation.mjs'
import { fold } from './fold.mjs'
import { parseInstant } from './instants.mjs'
import { due, frame, frameBatch, view } from './showing.mjs'

const EVENT = 'schedule/change'

const TOOLS = ['schedule_create', 'schedule_list', 'schedule_delete']

/**
 * @typedef {import('../../../kits/node/world.mjs').Host} Host
 * @typedef {import('../../../kits/node/world.mjs').Running} Running
 */

/**
 * @param {Host} host
 * @returns {Running}
 */
export function open(host) {
  const admit = (/** @type {any} */ event) => {
    stateOf(host)
    stateOf({ events: [...host.events, event], seedLength: host.seedLength })
  }
  if (host.agent !== 'root' || !host.persistence) return { tools: [], call: refuse, dispose: async () => {}, admit }
  const queue = new Queue()
  const owner = new Owner(host, queue)
  const tools = new Tools(host, queue, owner)
  owner.begin()
  return {
    tools: TOOLS,
    call: (tool, args, signal) => tools.call(tool, args, signal),
    dispose: () => {
      owner.dispose()
      return queue.drained()
    },
    admit,
  }
}

/** @returns {Promise<never>} */
async function refuse() {
  throw new Refused('the session has no tools')
}

/** @param {{ events: readonly any[], seedLength?: unknown }} log */
function stateOf({ events, seedLength = 0 }) {
  return fold(events, seedLength)
}

/**
 * Whether a barrier succeeded.
 *
 * @param {Host} host
 */
async function durable(host) {
  try {
    return (await host.barrier()) === 'ok'
  } catch {
    return false
  }
}

/** Tool calls and due work, one after the other (barrier.fifo). */
class Queue {
  /** @type {Promise<unknown>} */
  #last = Promise.resolve()

  /**
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  add(work) {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  async drained() {
    await this.#last
  }
}

/** The three tools of one session. */
class Tools {
  #host
  #queue
  #owner

  /**
   * @param {Host} host
   * @param {Queue} queue
   * @param {Owner} owner
   */
  constructor(host, queue, owner) {
    this.#host = host
    this.#queue = queue
    this.#owner = owner
  }

  /**
   * @param {string} tool
   * @param {any} args
   * @param {AbortSignal} signal
   */
  async call(tool, args, signal) {
    if (this.#owner.disposed) throw new Refused('the session is disposed of')
    requireTyped(tool, args)
    try {
      switch (tool) {
        case 'schedule_create':
          checkArguments(args)
          checkShape(args)
          return await this.#queue.add(() => this.#create(args, signal))
        case 'schedule_list':
          return await this.#queue.add(() => this.#list(signal))
        default:
          if (args.id === '' || args.id !== args.id.trim()) throw new Rejection('invalid_rule')
          return await this.#queue.add(() => this.#delete(args.id, signal))
      }
    } catch (problem) {
      if (problem instanceof Rejection) return { code: problem.code, message: `refused: ${problem.code}` }
      throw problem
    }
  }

  /**
   * @param {any} args
   * @param {AbortSignal} signal
   */
  async #create(args, signal) {
    const state = await this.#preflight(signal)
    if (state === null) return uncertain('create')
    const id = freshId(state.seen)
    const record = create({ ...args, id, now: this.#host.time.now() })
    if (!this.#append({ version: 1, operation: 'create', schedule: record })) return INTERNAL_ERROR
    if (!(await durable(this.#host))) return uncertain('create', id)
    this.#owner.recompute()
    return view(record, this.#host.time.now())
  }

  /** @param {AbortSignal} signal */
  async #list(signal) {
    const state = await this.#preflight(signal)
    if (state === null) return uncertain('list')
    const now = this.#host.time.now()
    return state.active.map((record) => view(record, now))
  }

  /**
   * @param {string} id
   * @param {AbortSignal} signal
   */
  async #delete(id, signal) {
    const state = await this.#preflight(signal)
    if (state === null) return uncertain('delete', id)
    if (!state.active.some((record) => record.id === id)) return { id, deleted: false, code: 'schedule_not_found' }
    if (!this.#append({ version: 1, operation: 'delete', id })) return INTERNAL_ERROR
    if (!(await durable(this.#host))) return uncertain('delete', id)
    this.#owner.recompute()
    return { id, deleted: true }
  }

  /**
   * The barrier before any reading; null where it is not known to have succeeded.
   *
   * @param {AbortSignal} signal
   */
  async #preflight(signal) {
    signal.throwIfAborted()
    const sound = await durable(this.#host)
    signal.throwIfAborted()
    if (!sound) return null
    const state = stateOf(this.#host)
    this.#owner.recompute()
    return state
  }

  /** @param {Record<string, any>} change */
  #append(change) {
    try {
      this.#host.append(EVENT, change)
      return true
    } catch {
      return false
    }
  }
}

const INTERNAL_ERROR = { code: 'internal_error', message: 'refused: internal_error' }

/**
 * @param {string} operation
 * @param {string} [id]
 */
function uncertain(operation, id) {
  const answer = { code: 'persistence_uncertain', message: 'refused: persistence_uncertain', operation }
  return id === undefined ? answer : { ...answer, id }
}

/** @param {Record<string, any>} args of a create */
function checkArguments(args) {
  const known = ['prompt', 'after_seconds', 'at', 'every_seconds']
  if (Object.keys(args).some((name) => !known.includes(name))) throw new Rejection('invalid_selector')
}

/**
 * What the declared argument schemas exclude (tool.ill-typed).
 *
 * @param {string} tool
 * @param {any} args
 */
function requireTyped(tool, args) {
  if (!isObject(args) || !TYPED[tool](args)) throw new Refused('the arguments are ill-typed')
}

/** @type {Record<string, (args: Record<string, any>) => boolean>} */
const TYPED = {
  schedule_create: (args) => {
    const numbers = ['after_seconds', 'every_seconds'].filter((name) => Object.hasOwn(args, name))
    const typed = typeof args.prompt === 'string' && numbers.every((name) => typeof args[name] === 'number')
    return typed && (!Object.hasOwn(args, 'at') || typeof args.at === 'string' || isLocal(args.at))
  },
  schedule_list: (args) => Object.keys(args).length === 0,
  schedule_delete: (args) => typeof args.id === 'string' && Object.keys(args).length === 1,
}

/** @param {unknown} at */
function isLocal(at) {
  if (!isObject(at) || Object.keys(at).length !== 3) return false
  return ['date', 'time', 'time_zone'].every((key) => typeof at[key] === 'string')
}

/** @param {string[]} seen */
function freshId(seen) {
  let number = seen.length + 1
  while (seen.includes(`schedule-${number}`)) number += 1
  return `schedule-${number}`
}

/** The live projection of one session: it waits for what comes due and delivers it. */
class Owner {
  #host
  #queue
  /** @type {import('../../../kits/node/virtual-time.mjs').VirtualTimer | undefined} */
  #timer
  #driving = false
  /** A preflight, framing, enqueue or last barrier failed: nothing is waited for but idle or a tool's preflight. */
  #halted = false
  /** The agent was busy at the claim: the return to idle is waited for, once. */
  #waiting = false
  /** An append failed after its enqueue: the owner has stopped for good. */
  #stopped = false
  #endIdle = () => {}
  disposed = false

  /**
   * @param {Host} host
   * @param {Queue} queue
   */
  constructor(host, queue) {
    this.#host = host
    this.#queue = queue
  }

  begin() {
    this.#endIdle = this.#host.onIdle(() => {
      if (this.#halted || this.#waiting) this.#drive()
      else this.recompute()
    })
    this.recompute()
  }

  dispose() {
    this.disposed = true
    this.#endIdle()
    this.#host.time.clearTimeout(this.#timer)
  }

  /** Derive the next wake from the fold; whatever halted the owner is over, since a barrier has succeeded. */
  recompute() {
    this.#halted = false
    this.#host.time.clearTimeout(this.#timer)
    if (this.disposed || this.#stopped) return
    const decision = this.#decide()
    if (decision === null) return
    if (decision.kind !== 'wait') this.#drive()
    else if (decision.until !== undefined) this.#wakeAt(/** @type {number} */ (parseInstant(decision.until)))
    // The clock is out of range: look again some time.
    else if (decision.active.length > 0) this.#wakeAt(Infinity)
  }

  /**
   * Wake at a time, earlier where a timer can't hold the wait; each wake looks at the clock anew.
   *
   * @param {number} time in ms
   */
  #wakeAt(time) {
    const delay = Math.min(time - this.#host.time.now(), LONGEST_DELAY)
    this.#timer = this.#host.time.setTimeout(() => this.#drive(), delay)
  }

  /** What is to be done now; null on a log that does not fold. */
  #decide() {
    try {
      const { active } = stateOf(this.#host)
      const now = this.#host.time.now()
      return { active, ...due(active, now) }
    } catch (problem) {
      if (problem instanceof Rejection) return null
      throw problem
    }
  }

  #drive() {
    if (this.#driving || this.disposed || this.#stopped) return
    this.#driving = true
    this.#waiting = false
    void this.#queue.add(async () => {
      if (this.disposed) return
      const sound = await durable(this.#host)
      this.#driving = false
      if (this.disposed) return
      if (sound) await this.#deliver()
      else this.#halt()
    })
  }

  #halt() {
    this.#halted = true
    this.#host.time.clearTimeout(this.#timer)
  }

  /** One delivery (deliver.sequence), if something is due. */
  async #deliver() {
    const first = this.#decide()
    if (first === null || first.kind === 'wait') return this.recompute()
    const release = this.#host.claim()
    if (release === null) {
      this.#waiting = true
      return undefined
    }
    let queued
    try {
      queued = this.#queueAndDispatch()
    } finally {
      release()
    }
    if (queued === 'nothing') return this.recompute()
    if (queued === 'failed') return this.#halt()
    if (queued === 'stopped') {
      this.#stopped = true
      return this.#host.time.clearTimeout(this.#timer)
    }
    if (await durable(this.#host)) return this.recompute()
    return this.#halt()
  }

  /**
   * Decide under the claim, enqueue the follow-up, append its dispatches.
   *
   * @returns {'nothing' | 'failed' | 'stopped' | 'done'}
   */
  #queueAndDispatch() {
    const decision = this.#decide()
    if (decision === null || decision.kind === 'wait') return 'nothing'
    const recordOf = (/** @type {string} */ id) => decision.active.find((record) => record.id === id)
    const { kind, acceptedAt, reminders = [] } = decision
    const batch = reminders.map(({ id, occurrenceAt }) => ({ record: recordOf(id), occurrenceAt }))
    try {
      this.#host.followup(kind === 'one-shot' ? frame(recordOf(decision.id)) : frameBatch(batch))
    } catch {
      return 'failed'
    }
    const changes =
      kind === 'one-shot'
        ? [{ version: 1, operation: 'dispatch', id: decision.id }]
        : reminders.map(({ id }) => ({ version: 1, operation: 'dispatch', id, acceptedAt }))
    try {
      for (const change of changes) this.#host.append(EVENT, change)
    } catch {
      return 'stopped'
    }
    return 'done'
  }
}
