/**
 * The world commands: sessions under one virtual time, and the host that an implementation lives in there.
 *
 * The world plays the host: the session's log, the persistence barrier with its scripted outcomes, the agent that is
 * idle or busy, the follow-up queue, the faults, crashes and forks. It notes what it sees and gives that back when the
 * world is settled. You plug in your implementation as an `OpenSession`: a function that starts it on a `Host`.
 *
 * `world.handlers` go into the `handlers` of `adapter.mjs`, `world.begin` is its `begin`, and `OBSERVES` goes into
 * `hello`. Where your implementation expects another shape of host (most do), write the few lines that translate
 * between it and this `Host`; don't change what this file notes or when.
 */

import { isObject } from './adapter.mjs'

/** The kinds of observations that this world gives back. */
export const OBSERVES = Object.freeze(['followup', 'append', 'answer', 'barrier', 'claim', 'release'])

/** The host's own argument check refuses a call before it reaches the tool. Throw it from `call`. */
export class Refused extends Error {}

/**
 * @typedef {import('./virtual-time.mjs').VirtualTime} VirtualTime
 * @typedef {Record<string, any>} Members
 *
 * @typedef {object} Running what runs on one host until it is disposed of, or its process crashes
 * @property {string[]} tools the names of the tools that the session has
 * @property {(tool: string, args: any, signal: AbortSignal) => Promise<any>} call the tool's value, an error object
 *   with its code being one too. Throw `Refused` where the host's argument check refuses; let the promise reject once
 *   the signal is aborted; whatever else is thrown is a fault of the implementation.
 * @property {() => Promise<void>} dispose
 * @property {(event: any) => void} [admit] throws a `Rejection` where a foreign event may not be appended (`candidate`)
 *
 * @typedef {(host: Host) => Running} OpenSession a session without tools and owner, such as a child agent's, has no
 *   `tools` and does nothing; a `Rejection` thrown here refuses the session as a whole
 */

/** What an implementation finds around it. A crash ends the host; a reopened session has a new one. */
export class Host {
  #world
  #held
  /** @type {Set<() => void>} */
  #idleListeners = new Set()
  #claimed = false
  #parked = false

  /**
   * @param {World} world
   * @param {Session} session
   * @param {boolean} busy
   */
  constructor(world, session, busy) {
    this.#world = world
    this.session = session
    this.busy = busy
    this.#held = session.held
    /** The session's virtual time: clock and timers. */
    this.time = world.time
  }

  /** Whose session it is: `root`, `child`, or `existing`, an agent that was there before the feature was loaded. */
  get agent() {
    return this.session.agent
  }

  /** Whether the composition has a persistence service. */
  get persistence() {
    return this.session.persistence
  }

  /** @returns {readonly any[]} the whole log, inherited events first */
  get events() {
    return this.session.events
  }

  /** What the header says was inherited; undefined where it says nothing. May be of any type. */
  get seedLength() {
    return this.session.seedLength
  }

  /**
   * Append an event to the session's log.
   *
   * @param {string} type
   * @param {any} data
   * @throws {Error} a scripted fault, with the backend's text
   */
  append(type, data) {
    if (this.session.faults.strikes(data?.operation)) throw new Error(this.session.faults.text)
    // The log keeps what was appended, whatever becomes of the object.
    const event = structuredClone({ type, data })
    this.session.events.push(event)
    this.#world.note(this.session, { append: event })
  }

  /**
   * The session's flush.
   *
   * @returns {Promise<'ok' | 'missing'>} `missing`: no persistence listener took part
   * @throws {Error} a listener failed; with the backend's text
   */
  async barrier() {
    const scripted = this.persistence ? (this.session.outcomes.shift() ?? 'ok') : 'missing'
    const outcome = scripted === 'hold' ? await new Promise((resolve) => this.#held.push(resolve)) : scripted
    this.#world.note(this.session, { barrier: outcome })
    if (outcome === 'fail') throw new Error(this.session.faults.text)
    if (outcome === 'ok') this.session.durable = this.session.events.length
    return outcome
  }

  /** Whether the agent is fully idle: no turn, and no one has claimed the idle phase. */
  get idle() {
    return !this.busy && !this.#claimed
  }

  /**
   * Claim the idle phase for maintenance.
   *
   * @returns {(() => void) | null} releases it; null where the agent is busy
   */
  claim() {
    if (!this.idle) {
      this.#world.note(this.session, { claim: 'busy' })
      return null
    }
    this.#claimed = true
    this.#world.note(this.session, { claim: 'ok' })
    return () => {
      if (!this.#claimed) return
      this.#claimed = false
      this.#world.note(this.session, { release: true })
      if (this.#parked) this.#wake()
    }
  }

  /**
   * Call back at every return to idle.
   *
   * @param {() => void} listener
   * @returns {() => void} ends it
   */
  onIdle(listener) {
    this.#idleListeners.add(listener)
    return () => void this.#idleListeners.delete(listener)
  }

  /** @returns {Promise<void>} resolved when the agent is idle, at once where it is */
  whenIdle() {
    if (this.idle) return Promise.resolve()
    return new Promise((resolve) => {
      const end = this.onIdle(() => {
        end()
        resolve()
      })
    })
  }

  /**
   * Enqueue one user-role message as a later turn. What it wakes is parked while the idle phase is claimed.
   *
   * @param {string} text
   * @throws {Error} a scripted fault, with the backend's text
   */
  followup(text) {
    if (this.session.faults.followup === 'fail') throw new Error(this.session.faults.text)
    this.#world.note(this.session, { followup: text })
    if (this.#claimed) this.#parked = true
    else this.#wake()
  }

  /**
   * Interrupt the current turn. No sound Schedule does.
   *
   * @param {string} text
   */
  steer(text) {
    this.#world.note(this.session, { steer: text })
  }

  /**
   * A turn or other work begins, or ends.
   *
   * @param {boolean} on
   */
  occupy(on) {
    const ends = this.busy && !on
    this.busy = on
    if (ends) for (const listener of [...this.#idleListeners]) this.time.within(this, listener)
  }

  #wake() {
    this.#parked = false
    if (this.session.turns === 'hold') this.occupy(true)
  }
}

/** Scripted failures; healthy at first. */
class Faults {
  #operations
  #skip
  #times

  /** @param {Members} script */
  constructor({ followup = 'ok', append, text = 'the backend failed' } = {}) {
    this.followup = followup
    this.text = text
    this.#operations = append?.operations ?? ['create', 'delete', 'dispatch']
    this.#skip = append?.skip ?? 0
    this.#times = append?.times ?? (append === undefined ? 0 : 1)
  }

  /**
   * Whether this append fails; counts it.
   *
   * @param {unknown} operation
   */
  strikes(operation) {
    if (this.#times === 0 || !this.#operations.includes(operation)) return false
    if (this.#skip > 0) {
      this.#skip -= 1
      return false
    }
    this.#times -= 1
    return true
  }
}

/** One session: what outlives its processes, and the process that is there now, if one is. */
class Session {
  /** @type {Running | null} */
  running = null
  /** @type {Host | null} */
  host = null
  /** @type {Map<string, AbortController>} calls that are not answered */
  calls = new Map()
  /** @type {number} how many events no crash takes away: those it was opened over, and what a barrier acknowledged */
  durable = 0

  /** @type {string[]} outcomes of the next barriers */
  outcomes = []
  /** @type {((outcome: string) => void)[]} barriers that are held */
  held = []
  faults = new Faults()

  /**
   * @param {string} name
   * @param {Members} opening
   */
  constructor(name, { events = [], seedLength, persistence = true, agent = 'root', turns = 'none' }) {
    this.name = name
    this.events = events
    this.seedLength = seedLength
    this.persistence = persistence
    this.agent = agent
    this.turns = turns
  }
}

/** Sessions by name under one virtual time, and the handlers of the world commands. */
export class World {
  #open
  /** @type {Map<string, Session>} */
  #sessions = new Map()
  /** @type {Members[]} */
  #observed = []
  /** @type {unknown[]} */
  #broken = []

  /**
   * @param {VirtualTime} time
   * @param {OpenSession} open
   */
  constructor(time, open) {
    this.time = time
    this.#open = open
  }

  /** A new world, without sessions; for `begin` of the adapter. */
  begin = () => {
    for (const session of this.#sessions.values()) this.#end(session)
    this.#sessions.clear()
    this.#observed = []
    this.#broken = []
  }

  /**
   * Note an observation at this moment of the wall clock.
   *
   * @param {Session} session
   * @param {Members} what
   */
  note(session, what) {
    this.#observed.push({ at: this.time.now(), session: session.name, ...what })
  }

  /** The handlers of the world commands, by command. */
  get handlers() {
    return {
      open: this.#command((request) => {
        this.time.setClock(request.now)
        const session = new Session(request.session, request)
        this.#start(session, request.busy ?? false)
        this.#sessions.set(session.name, session)
        return this.#toolsOf(session)
      }),
      call: this.#command((request) => void this.#call(this.#live(request), request)),
      abort: this.#command((request) => {
        const { host, calls } = this.#live(request)
        this.time.within(host, () => calls.get(request.callId)?.abort())
      }),
      advance_time: this.#command((request) => this.time.advance(request.ms)),
      set_clock: this.#command((request) => this.time.setClock(request.now)),
      busy: this.#command((request) => this.#hostOf(request).occupy(request.on)),
      turn: this.#command((request) => {
        const host = this.#hostOf(request)
        host.occupy(true)
        host.occupy(false)
      }),
      barrier: this.#command((request) => {
        this.#session(request).outcomes = [...request.outcomes]
      }),
      release: this.#command((request) => {
        const settle = this.#session(request).held.shift()
        if (settle === undefined) throw new Error('no barrier is held')
        settle(request.outcome)
      }),
      faults: this.#command((request) => {
        this.#session(request).faults = new Faults(request)
      }),
      append: this.#command((request) => {
        const session = this.#live(request)
        this.time.within(session.host, () => session.running.admit?.(request.event))
        session.events.push(request.event)
      }),
      crash: this.#command((request) => {
        const session = this.#session(request)
        this.#end(session)
        session.events.length = Math.min(session.events.length, Math.max(session.durable, request.keep))
      }),
      reopen: this.#command(async (request) => {
        const session = this.#session(request)
        await this.#close(session)
        if (request.now !== undefined) this.time.setClock(request.now)
        this.#start(session, request.busy ?? false)
        return this.#toolsOf(session)
      }),
      fork: this.#command((request) => {
        const { events, turns } = this.#session(request)
        const child = new Session(request.as, { events: events.slice(0, request.at), seedLength: request.at, turns })
        this.#start(child, false)
        this.#sessions.set(child.name, child)
        return this.#toolsOf(child)
      }),
      dispose: this.#command((request) => {
        const session = this.#live(request)
        // Not awaited: disposal may wait for a barrier that is held.
        this.#watch(this.time.within(session.host, () => session.running.dispose()))
      }),
      log: this.#command((request) => ({ events: this.#session(request).events })),
    }
  }

  /**
   * A handler: do it, let the world settle, give back what was observed.
   *
   * @param {(request: Members) => unknown} run further members of the result, if any
   */
  #command(run) {
    return async (/** @type {Members} */ request) => {
      const more = await run(request)
      await this.time.settle()
      const observed = this.#observed
      this.#observed = []
      const [problem] = this.#broken
      this.#broken = []
      if (problem !== undefined) throw problem
      return { observed, ...(isObject(more) ? more : {}) }
    }
  }

  /**
   * Start the implementation on a new host.
   *
   * @param {Session} session
   * @param {boolean} busy
   */
  #start(session, busy) {
    const host = new Host(this, session, busy)
    session.durable = session.events.length
    session.running = this.time.within(host, () => this.#open(host))
    session.host = host
  }

  /**
   * Close a session in good order, as far as held barriers let it.
   *
   * @param {Session} session
   */
  async #close(session) {
    if (session.running === null) return
    this.#watch(this.time.within(session.host ?? undefined, () => session.running?.dispose() ?? Promise.resolve()))
    await this.time.settle()
    this.#end(session)
  }

  /**
   * The process is gone: nothing that waits in it goes on.
   *
   * @param {Session} session
   */
  #end(session) {
    if (session.host !== null) this.time.drop(session.host)
    session.host = null
    session.running = null
    session.held = []
    session.calls.clear()
  }

  /**
   * @param {Session & { host: Host, running: Running }} session
   * @param {Members} request
   */
  async #call(session, { callId, tool, arguments: given, json }) {
    const { host, running } = session
    const controller = new AbortController()
    session.calls.set(callId, controller)
    const answer = await this.time.within(host, async () => {
      try {
        if (!running.tools.includes(tool)) throw new Refused('the session has no such tool')
        const args = json === undefined ? given : parsed(json)
        return { value: await running.call(tool, args, controller.signal) }
      } catch (problem) {
        if (problem instanceof Refused) return { refused: true }
        if (controller.signal.aborted) return { aborted: true }
        this.#broken.push(problem)
        return null
      }
    })
    session.calls.delete(callId)
    if (answer !== null) this.note(session, { answer: { callId, ...answer } })
  }

  /** @param {Promise<void>} work */
  #watch(work) {
    work.catch((problem) => this.#broken.push(problem))
  }

  /**
   * @param {Members} request
   * @returns {Session}
   */
  #session({ session: name }) {
    const session = this.#sessions.get(name)
    if (session === undefined) throw new Error(`no session ${JSON.stringify(name)}`)
    return session
  }

  /**
   * @param {Members} request
   * @returns {Session & { host: Host, running: Running }}
   */
  #live(request) {
    const session = this.#session(request)
    if (session.host === null || session.running === null) {
      throw new Error(`session ${JSON.stringify(session.name)} is not live`)
    }
    return /** @type {Session & { host: Host, running: Running }} */ (session)
  }

  /** @param {Members} request */
  #hostOf(request) {
    return this.#live(request).host
  }

  /** @param {Session} session */
  #toolsOf(session) {
    return { tools: session.running?.tools ?? [] }
  }
}

/**
 * The arguments of a call that come as text, as a host would read them.
 *
 * @param {string} text
 */
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused('the arguments are no JSON')
  }
}
