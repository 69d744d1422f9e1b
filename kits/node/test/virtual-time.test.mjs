import assert from 'node:assert/strict'
import { test } from 'node:test'

import { LONGEST_DELAY, VirtualTime } from '../virtual-time.mjs'

test('a delay is taken as Node takes it', (context) => {
  context.mock.method(process, 'emitWarning', () => {})
  const odd = [1.9, 0.5, -1, NaN, Infinity, undefined, null, '7', 'x']
  for (const delay of [0, 1, 2, ...odd, LONGEST_DELAY, LONGEST_DELAY + 1, 2 ** 53]) {
    const ours = new VirtualTime().setTimeout(() => {}, delay)
    const real = setTimeout(() => {}, delay)
    // Node keeps the delay here, before it drops the fraction.
    assert.equal(ours.delay, Math.trunc(real._idleTimeout), String(delay))
    clearTimeout(real)
  }
})

test('a delay that a timer cannot hold fires at once, the longest one in time', async () => {
  const time = new VirtualTime(0)
  const fired = []
  time.setTimeout(() => fired.push(['too long', time.now()]), LONGEST_DELAY + 1)
  time.setTimeout(() => fired.push(['longest', time.now()]), LONGEST_DELAY)
  await time.advance(1)
  assert.deepEqual(fired, [['too long', 1]])
  await time.advance(LONGEST_DELAY - 2)
  assert.equal(fired.length, 1)
  await time.advance(1)
  assert.deepEqual(fired[1], ['longest', LONGEST_DELAY])
})

test('timers fire by due time, then in the order of creation', async () => {
  const time = new VirtualTime(1000)
  const fired = []
  const note = (name) => fired.push(`${name}@${time.now()}`)
  time.setTimeout(note, 20, 'c')
  time.setTimeout(note, 10, 'a')
  time.setTimeout(note, 10, 'b')
  time.setTimeout(note, 20, 'd')
  await time.advance(9)
  assert.deepEqual(fired, [])
  await time.advance(11)
  assert.deepEqual(fired, ['a@1010', 'b@1010', 'c@1020', 'd@1020'])
  assert.equal(time.armed, 0)
})

test('a timer that a timer sets fires within the same advance, each settled before the next', async () => {
  const time = new VirtualTime()
  const seen = []
  time.setTimeout(async () => {
    for (let turn = 0; turn < 100; turn += 1) await null
    seen.push('chain done')
    time.setTimeout(() => seen.push(`inner ${time.now()}`), 5)
  }, 5)
  time.setTimeout(() => seen.push('second'), 5)
  await time.advance(10)
  assert.deepEqual(seen, ['chain done', 'second', 'inner 10'])
})

test('settled: microtasks, ticks, immediates and tracked work are done, timers are not', async () => {
  const time = new VirtualTime()
  const seen = []
  const steps = async () => {
    await new Promise((resolve) => process.nextTick(resolve))
    seen.push('tick')
    await new Promise((resolve) => time.setImmediate(resolve))
    seen.push('immediate')
    await time.track(new Promise((resolve) => setTimeout(resolve, 5)))
    seen.push('real work')
    await time.sleep(1)
    seen.push('slept')
  }
  const done = steps()
  await time.settle()
  assert.deepEqual(seen, ['tick', 'immediate', 'real work'])
  await time.advance(1)
  await done
  assert.equal(seen.length, 4)
})

test('tracked work that fails is waited for, and its failure is left to its owner', async () => {
  const time = new VirtualTime()
  let caught
  time.track(Promise.reject(new Error('no'))).catch((problem) => { caught = problem })
  await time.settle()
  assert.equal(caught.message, 'no')
})

test('a set clock leaves the remaining delay', async () => {
  const time = new VirtualTime(1_000_000)
  const fired = []
  time.setTimeout(() => fired.push(time.now()), 100)
  await time.advance(40)
  time.setClock(5)
  await time.advance(59)
  assert.deepEqual([fired, time.now(), time.monotonic()], [[], 64, 99])
  await time.advance(1)
  assert.deepEqual(fired, [65])
})

test('the wall clock is exact to the ends of the safe integers', async () => {
  const time = new VirtualTime(1_785_931_200_000)
  await time.advance(3_000_000_001)
  for (const now of [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 7]) {
    time.setClock(now)
    assert.equal(time.now(), now)
    await time.advance(7)
    assert.equal(time.now(), now + 7)
  }
})

test('a cleared timer does not fire, cleared by itself, its number, or within another', async () => {
  const time = new VirtualTime()
  const fired = []
  time.clearTimeout(time.setTimeout(() => fired.push(1), 1))
  time.clearTimeout(+time.setTimeout(() => fired.push(2), 1))
  time.clearTimeout(String(+time.setTimeout(() => fired.push(3), 1)))
  const later = time.setTimeout(() => fired.push(4), 2)
  time.setTimeout(() => time.clearTimeout(later), 1)
  for (const nothing of [undefined, null, {}, 'x', 10_000, NaN]) time.clearTimeout(nothing)
  later.refresh()
  await time.advance(10)
  assert.deepEqual(fired, [])
  later.refresh()
  await time.advance(10)
  assert.deepEqual(fired, [])
})

test('refresh starts the delay anew, also of a timer that has fired', async () => {
  const time = new VirtualTime()
  const fired = []
  const timer = time.setTimeout(() => fired.push(time.now()), 10)
  await time.advance(6)
  timer.refresh()
  await time.advance(9)
  assert.deepEqual(fired, [])
  await time.advance(1)
  timer.refresh()
  await time.advance(10)
  assert.deepEqual(fired, [16, 26])
  assert.equal(timer.unref().hasRef(), false)
  assert.equal(timer.ref().hasRef(), true)
})

test('an interval fires until it is cleared, from within too', async () => {
  const time = new VirtualTime()
  const fired = []
  const interval = time.setInterval(() => {
    fired.push(time.now())
    if (fired.length === 3) time.clearInterval(interval)
  }, 10)
  await time.advance(1000)
  assert.deepEqual(fired, [10, 20, 30])
})

test('what a callback throws ends the advance there; what was armed stays armed', async () => {
  const time = new VirtualTime()
  const fired = []
  time.setTimeout(() => { throw new Error('broke') }, 1)
  time.setTimeout(() => fired.push(time.now()), 1)
  await assert.rejects(time.advance(5), /broke/)
  assert.equal(time.now(), 1)
  await time.advance(4)
  assert.deepEqual(fired, [1])
})

test('timers that never end are taken for a loop', async () => {
  const time = new VirtualTime(0, 50)
  const again = () => time.setTimeout(again, LONGEST_DELAY * 2)
  again()
  await assert.rejects(time.advance(10_000), /50 timers fired.*fires after 1 ms/)
})

test('a callback has to be a function', () => {
  const time = new VirtualTime()
  for (const set of [time.setTimeout, time.setInterval, time.setImmediate]) {
    assert.throws(() => set('code', 1), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' })
  }
})

test('sleep ends in time, or with the signal', async () => {
  const time = new VirtualTime()
  const slept = time.sleep(10, 'value')
  const controller = new AbortController()
  const aborted = time.sleep(10, undefined, { signal: controller.signal })
  await time.advance(9)
  controller.abort(new Error('why'))
  await assert.rejects(aborted, (problem) => problem.name === 'AbortError' && problem.cause.message === 'why')
  await time.advance(1)
  assert.equal(await slept, 'value')
  await assert.rejects(time.sleep(1, undefined, { signal: AbortSignal.abort() }), { code: 'ABORT_ERR' })
  assert.equal(time.armed, 0)
})

test('a timeout signal aborts in virtual time', async () => {
  const time = new VirtualTime()
  const signal = time.timeoutSignal(10)
  await time.advance(9)
  assert.equal(signal.aborted, false)
  await time.advance(1)
  assert.equal(signal.reason.name, 'TimeoutError')
})

test('the timers of an owner that is dropped never fire, those set later or in its continuations neither', async () => {
  const time = new VirtualTime()
  const fired = []
  const owner = {}
  let resume
  time.within(owner, async () => {
    time.setTimeout(() => fired.push('direct'), 5)
    await null
    time.setTimeout(() => fired.push('continued'), 5)
    await new Promise((resolve) => { resume = resolve })
    time.setTimeout(() => fired.push('after the drop'), 5)
  })
  time.within({}, () => time.setTimeout(() => fired.push('another'), 5))
  await time.settle()
  time.drop(owner)
  resume()
  await time.advance(10)
  assert.deepEqual(fired, ['another'])
})

test('install replaces the globals, and puts them back', async () => {
  const before = { setTimeout, Date, now: performance.now }
  const time = new VirtualTime(Date.parse('2031-02-03T04:05:06.789Z'))
  const restore = time.install()
  try {
    assert.equal(Date.now(), time.now())
    assert.equal(new Date().toISOString(), '2031-02-03T04:05:06.789Z')
    assert.equal(new Date(0).toISOString(), '1970-01-01T00:00:00.000Z')
    assert.equal(Date.UTC(1970, 0), 0)
    assert.equal(new Date() instanceof Date, true)
    assert.equal(typeof Date(), 'string')
    let fired = false
    setTimeout(() => { fired = true }, 86_400_000)
    const signal = AbortSignal.timeout(1000)
    await time.advance(86_400_000)
    assert.equal(fired, true)
    assert.equal(signal.aborted, true)
    assert.equal(performance.now(), 86_400_000)
  } finally {
    restore()
  }
  assert.deepEqual({ setTimeout, Date, now: performance.now }, before)
})
