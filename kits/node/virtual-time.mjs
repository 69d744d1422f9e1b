/**
 * A virtual clock with timers that behave as Node's do, so that an implementation can be led through years in
 * milliseconds.
 *
 * Two things move apart here, as on a real host: the *wall clock*, which can be set, and the *elapsed time*, by which
 * timers run. `advance` moves both; `setClock` moves the wall clock alone, and timers keep their remaining delay.
 *
 * An implementation either takes the clock and the timers as arguments (`time.now`, `time.setTimeout`, …: all of them
 * are bound) or reads the globals, which `install` replaces. What is imported from `node:timers` or
 * `node:timers/promises` can't be replaced: pass `sleep` in its place.
 *
 * **Settled.** After each step the world has to come to rest before it is asked what happened. `settle` returns when
 *
 * 1. no microtask and no `process.nextTick` callback is left (one turn of the real event loop has passed, and Node
 *    drains both queues within it, however long their chains are);
 * 2. no virtual `setImmediate` callback is left;
 * 3. no promise handed to `track` is pending: real input and output, which no virtual clock can see, is to be tracked.
 *
 * Timers are no part of that: they need time to pass.
 */

import { AsyncLocalStorage } from 'node:async_hooks'

/** The longest delay that Node's timers hold, in ms; what is longer fires after 1 ms, at once that is. */
export const LONGEST_DELAY = 2 ** 31 - 1

/**
 * How many timers one `advance` fires before it takes them for a loop that never ends. Enough for an implementation
 * that looks at the clock twice a minute and is led through a month, and few enough to end before the suite's patience.
 */
export const MOST_FIRINGS = 100_000

/** Node's own, kept before `install` can put others in their place. */
const real = { Date: globalThis.Date, setImmediate: globalThis.setImmediate }

/** A timer as `setTimeout` returns it. */
export class VirtualTimer {
  #time
  #referenced = true

  /**
   * @param {VirtualTime} time
   * @param {() => void} fire
   * @param {number} delay in ms, as Node takes it
   * @param {boolean} repeats
   * @param {number} order what tells timers of the same moment apart
   */
  constructor(time, fire, delay, repeats, order) {
    this.#time = time
    this.fire = fire
    this.delay = delay
    this.repeats = repeats
    this.order = order
    this.cleared = false
    /** The elapsed time at which it fires, in ms. */
    this.due = 0
  }

  ref() {
    this.#referenced = true
    return this
  }

  unref() {
    this.#referenced = false
    return this
  }

  hasRef() {
    return this.#referenced
  }

  /** Start the delay anew; a timer that has fired is set again, one that was cleared is not. */
  refresh() {
    this.#time.arm(this)
    return this
  }

  close() {
    this.#time.clearTimeout(this)
    return this
  }

  [Symbol.toPrimitive]() {
    return this.order
  }
}

/** One wall clock, one elapsed time, and the timers that hang on it. */
export class VirtualTime {
  #elapsed = 0
  #wall
  #created = 0
  #mostFirings
  /** @type {Map<number, VirtualTimer>} the armed timers, by order */
  #armed = new Map()
  /** @type {Map<number, () => void>} */
  #immediates = new Map()
  /** @type {Set<Promise<unknown>>} */
  #tracked = new Set()
  /** @type {AsyncLocalStorage<object>} */
  #owners = new AsyncLocalStorage()
  /** @type {WeakMap<VirtualTimer, object>} */
  #ownerOf = new WeakMap()
  /** @type {WeakSet<object>} */
  #dropped = new WeakSet()

  /**
   * @param {number} [now] the wall clock at the start, in ms of the epoch
   * @param {number} [mostFirings] see MOST_FIRINGS
   */
  constructor(now = 0, mostFirings = MOST_FIRINGS) {
    this.#wall = now
    this.#mostFirings = mostFirings
  }

  /** The wall clock, in ms of the epoch; in place of `Date.now`. */
  now = () => this.#wall

  /** The elapsed time in ms, which no set clock changes; in place of `performance.now`. */
  monotonic = () => this.#elapsed

  /**
   * Let the wall clock jump; timers keep their remaining delay.
   *
   * @param {number} now in ms of the epoch
   */
  setClock(now) {
    this.#wall = now
  }

  /**
   * @param {(...args: any[]) => void} callback
   * @param {unknown} [delay] in ms
   * @param {...unknown} args
   */
  setTimeout = (callback, delay, ...args) => this.#timer(callback, delay, args, false)

  /**
   * @param {(...args: any[]) => void} callback
   * @param {unknown} [delay] in ms
   * @param {...unknown} args
   */
  setInterval = (callback, delay, ...args) => this.#timer(callback, delay, args, true)

  /** @param {unknown} timer a timer or its number; anything else is passed over, as Node does */
  clearTimeout = (timer) => {
    const meant = timer instanceof VirtualTimer ? timer : this.#armed.get(Number(timer ?? NaN))
    if (meant === undefined) return
    meant.cleared = true
    this.#armed.delete(meant.order)
  }

  clearInterval = this.clearTimeout

  /**
   * @param {(...args: any[]) => void} callback
   * @param {...unknown} args
   */
  setImmediate = (callback, ...args) => {
    requireFunction(callback)
    const order = ++this.#created
    const owner = this.#owners.getStore()
    this.#immediates.set(order, () => {
      if (!this.#isDropped(owner)) this.within(owner, () => callback(...args))
    })
    return order
  }

  /** @param {unknown} immediate */
  clearImmediate = (immediate) => {
    this.#immediates.delete(Number(immediate ?? NaN))
  }

  /**
   * Wait in virtual time, as `setTimeout` of `node:timers/promises` does.
   *
   * @template T
   * @param {number} delay in ms
   * @param {T} [value] what the promise holds
   * @param {{ signal?: AbortSignal }} [options] aborted, the promise is rejected with an AbortError
   * @returns {Promise<T | undefined>}
   */
  sleep = (delay, value, { signal } = {}) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        this.clearTimeout(timer)
        const problem = new Error('The operation was aborted', { cause: signal?.reason })
        reject(Object.assign(problem, { name: 'AbortError', code: 'ABORT_ERR' }))
      }
      const timer = this.setTimeout(() => {
        signal?.removeEventListener('abort', abort)
        resolve(value)
      }, delay)
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort, { once: true })
    })

  /**
   * A signal that aborts after a while, as `AbortSignal.timeout` does.
   *
   * @param {number} delay in ms
   * @returns {AbortSignal}
   */
  timeoutSignal = (delay) => {
    const controller = new AbortController()
    const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    this.setTimeout(() => controller.abort(reason), delay)
    return controller.signal
  }

  /**
   * Let `settle` wait for real work, such as a write to a file.
   *
   * @template T
   * @param {Promise<T>} work
   * @returns {Promise<T>} the same promise
   */
  track = (work) => {
    this.#tracked.add(work)
    const done = () => this.#tracked.delete(work)
    work.then(done, done)
    return work
  }

  /** Return when nothing more can happen unless time passes or something comes from outside; see above. */
  async settle() {
    for (;;) {
      await new Promise((resolve) => real.setImmediate(resolve))
      if (this.#immediates.size > 0) {
        const [order, run] = /** @type {[number, () => void]} */ (this.#immediates.entries().next().value)
        this.#immediates.delete(order)
        run()
      } else if (this.#tracked.size > 0) {
        await Promise.race([...this.#tracked]).catch(() => {})
      } else {
        return
      }
    }
  }

  /**
   * Let time pass: fire what becomes due, in the order of due time and then of creation, and settle after each.
   *
   * A callback's exception ends the advance and is thrown here; the timers behind it stay armed.
   *
   * @param {number} ms
   */
  async advance(ms) {
    const end = this.#elapsed + ms
    await this.settle()
    for (let fired = 0, next = this.#next(end); next !== undefined; fired += 1, next = this.#next(end)) {
      if (fired === this.#mostFirings) throw new Error(`${fired} timers fired within ${ms} ms: ${LOOP_HINT}`)
      this.#pass(next.due)
      this.#armed.delete(next.order)
      try {
        next.fire()
      } finally {
        if (next.repeats) this.arm(next)
      }
      await this.settle()
    }
    this.#pass(end)
  }

  /**
   * Run something on behalf of an owner, such as one process of a session: timers that it sets, at once or in any
   * asynchronous continuation, are the owner's.
   *
   * @template T
   * @param {object | undefined} owner undefined: of no one
   * @param {() => T} run
   * @returns {T}
   */
  within(owner, run) {
    return owner === undefined ? this.#owners.exit(run) : this.#owners.run(owner, run)
  }

  /**
   * The owner is gone, as after a crash: its timers never fire, and those that it still sets do not either.
   *
   * @param {object} owner
   */
  drop(owner) {
    this.#dropped.add(owner)
    for (const [order, timer] of this.#armed) if (this.#ownerOf.get(timer) === owner) this.#armed.delete(order)
  }

  /** How many timers are armed. */
  get armed() {
    return this.#armed.size
  }

  /**
   * Start a timer's delay anew.
   *
   * @param {VirtualTimer} timer
   */
  arm(timer) {
    if (timer.cleared || this.#isDropped(this.#ownerOf.get(timer))) return
    // Set anew it stands behind others of the same moment, as in Node.
    this.#armed.delete(timer.order)
    timer.due = this.#elapsed + timer.delay
    this.#armed.set(timer.order, timer)
  }

  /**
   * Put this clock and these timers in the place of the globals: Date, the functions of timers, performance.now and
   * AbortSignal.timeout.
   *
   * @param {Record<string, any>} [scope] whose properties are replaced
   * @returns {() => void} puts the old ones back
   */
  install(scope = globalThis) {
    const { now, monotonic, timeoutSignal } = this
    const functions = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate']
    /** @type {[any, string, unknown][]} */
    const replacements = functions.map((name) => [scope, name, /** @type {any} */ (this)[name]])
    replacements.push([scope, 'Date', virtualDate(now)])
    if (scope.performance) replacements.push([scope.performance, 'now', monotonic])
    if (scope.AbortSignal) replacements.push([scope.AbortSignal, 'timeout', timeoutSignal])
    const before = replacements.map(([holder, name]) => [holder, name, Object.getOwnPropertyDescriptor(holder, name)])
    for (const [holder, name, value] of replacements) {
      Object.defineProperty(holder, name, { value, configurable: true, writable: true })
    }
    return () => {
      for (const [holder, name, descriptor] of before) {
        if (descriptor === undefined) delete holder[name]
        else Object.defineProperty(holder, name, descriptor)
      }
    }
  }

  /**
   * Move both to a point of elapsed time.
   *
   * @param {number} until in ms
   */
  #pass(until) {
    // Summed up apart: near 2^53, start plus elapsed would be rounded.
    this.#wall += until - this.#elapsed
    this.#elapsed = until
  }

  /**
   * @param {(...args: any[]) => void} callback
   * @param {unknown} delay
   * @param {unknown[]} args
   * @param {boolean} repeats
   */
  #timer(callback, delay, args, repeats) {
    requireFunction(callback)
    const owner = this.#owners.getStore()
    const fire = () => this.within(owner, () => callback(...args))
    const timer = new VirtualTimer(this, fire, taken(delay), repeats, ++this.#created)
    if (owner !== undefined) this.#ownerOf.set(timer, owner)
    this.arm(timer)
    return timer
  }

  /**
   * The armed timer that fires first, if that is until `end`. Those of one moment stand in the order in which they
   * were armed: a Map keeps it.
   *
   * @param {number} end
   */
  #next(end) {
    /** @type {VirtualTimer | undefined} */
    let first
    for (const timer of this.#armed.values()) {
      if (timer.due <= end && (first === undefined || timer.due < first.due)) first = timer
    }
    return first
  }

  /** @param {object | undefined} owner */
  #isDropped(owner) {
    return owner !== undefined && this.#dropped.has(owner)
  }
}

const LOOP_HINT = `does a timer set itself again at once? A delay beyond ${LONGEST_DELAY} ms fires after 1 ms`

/**
 * A delay as Node takes it: whole ms, 1 for what is less, more than it can hold, or no number.
 *
 * @param {unknown} delay
 */
function taken(delay) {
  const ms = Number(delay)
  return ms >= 1 && ms <= LONGEST_DELAY ? Math.trunc(ms) : 1
}

/** @param {unknown} callback */
function requireFunction(callback) {
  if (typeof callback === 'function') return
  const problem = new TypeError('The "callback" argument must be of type function')
  throw Object.assign(problem, { code: 'ERR_INVALID_ARG_TYPE' })
}

/**
 * `Date`, whose present is the virtual wall clock.
 *
 * @param {() => number} now
 */
function virtualDate(now) {
  return new Proxy(real.Date, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new real.Date(now()).toString(),
    get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
  })
}
