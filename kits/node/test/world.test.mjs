import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Rejection } from '../adapter.mjs'
import { VirtualTime } from '../virtual-time.mjs'
import { Refused, World } from '../world.mjs'

const NOW = 1_785_931_200_000

/**
 * A world whose sessions do what the test says: `tool` is the one tool, `begin` runs when a session opens.
 * `ask` sends a command and gives back the result.
 */
function worldOf({ tool = async () => null, begin = () => {}, admit, dispose = async () => {} } = {}) {
  const hosts = []
  const world = new World(new VirtualTime(), (host) => {
    hosts.push(host)
    begin(host)
    return {
      tools: host.agent === 'root' ? ['tool'] : [],
      call: (name, args, signal) => tool(host, args, signal),
      dispose: () => dispose(host),
      admit,
    }
  })
  const ask = (cmd, request = {}) => world.handlers[cmd]({ session: 's', ...request })
  return { world, hosts, ask }
}

const told = (result) => result.observed.map(({ at, session, ...what }) => what)

test('a call is answered with its value, where and when it was', async () => {
  const { ask } = worldOf({ tool: async (host, args) => ({ got: args }) })
  assert.deepEqual(await ask('open', { now: NOW }), { observed: [], tools: ['tool'] })
  const { observed } = await ask('call', { callId: 'c', tool: 'tool', arguments: { a: 1 } })
  assert.deepEqual(observed, [{ at: NOW, session: 's', answer: { callId: 'c', value: { got: { a: 1 } } } }])
  const text = await ask('call', { callId: 'd', tool: 'tool', json: '{"a":1,"a":2}' })
  assert.deepEqual(told(text), [{ answer: { callId: 'd', value: { got: { a: 2 } } } }])
})

test('the host refuses what is no JSON, no tool of the session, or ill-typed', async () => {
  const { ask } = worldOf({ tool: async () => { throw new Refused() } })
  await ask('open', { now: NOW })
  for (const call of [{ tool: 'tool', json: '{' }, { tool: 'other', arguments: {} }, { tool: 'tool', arguments: {} }]) {
    assert.deepEqual(told(await ask('call', { callId: 'c', ...call })), [{ answer: { callId: 'c', refused: true } }])
  }
})

test('what a tool throws beside that is a fault, told once', async () => {
  const { ask } = worldOf({ tool: async () => { throw new Error('bug') } })
  await ask('open', { now: NOW })
  await assert.rejects(ask('call', { callId: 'c', tool: 'tool', arguments: {} }), /bug/)
  assert.deepEqual(await ask('log'), { observed: [], events: [] })
})

test('barriers come as scripted, and then ok', async () => {
  const { ask, hosts } = worldOf()
  await ask('open', { now: NOW })
  await ask('faults', { text: 'disk full' })
  await ask('barrier', { outcomes: ['ok', 'missing', 'fail', 'hold'] })
  assert.equal(await hosts[0].barrier(), 'ok')
  assert.equal(await hosts[0].barrier(), 'missing')
  await assert.rejects(hosts[0].barrier(), /disk full/)
  const held = hosts[0].barrier()
  const fifth = hosts[0].barrier()
  assert.equal(await fifth, 'ok')
  const outcomes = told(await ask('log')).map((what) => what.barrier)
  assert.deepEqual(outcomes, ['ok', 'missing', 'fail', 'ok'])
  assert.deepEqual(told(await ask('release', { outcome: 'missing' })), [{ barrier: 'missing' }])
  assert.equal(await held, 'missing')
  await assert.rejects(ask('release', { outcome: 'ok' }), /no barrier is held/)
})

test('a new script of barriers replaces the old one', async () => {
  const { ask, hosts } = worldOf()
  await ask('open', { now: NOW })
  await ask('barrier', { outcomes: ['fail', 'fail'] })
  await ask('barrier', { outcomes: [] })
  assert.equal(await hosts[0].barrier(), 'ok')
})

test('without persistence no barrier takes part', async () => {
  const { ask, hosts } = worldOf()
  await ask('open', { now: NOW, persistence: false })
  assert.equal(await hosts[0].barrier(), 'missing')
})

test('appends fail as scripted: of these operations, after so many, so often', async () => {
  const { ask, hosts } = worldOf()
  await ask('open', { now: NOW })
  await ask('faults', { append: { operations: ['dispatch'], skip: 1, times: 2 }, text: 'secret' })
  const outcomes = ['create', 'dispatch', 'dispatch', 'create', 'dispatch', 'dispatch'].map((operation) => {
    try {
      hosts[0].append('schedule/change', { operation })
      return 'ok'
    } catch (problem) {
      return problem.message
    }
  })
  assert.deepEqual(outcomes, ['ok', 'ok', 'secret', 'ok', 'secret', 'ok'])
  const { observed, events } = await ask('log')
  assert.equal(observed.length, 4)
  assert.equal(events.length, 4)
  await ask('faults', {})
  assert.doesNotThrow(() => hosts[0].append('schedule/change', { operation: 'dispatch' }))
})

test('the log holds what was appended, not what became of it', async () => {
  const { ask, hosts } = worldOf()
  await ask('open', { now: NOW })
  const change = { operation: 'create' }
  hosts[0].append('schedule/change', change)
  change.operation = 'else'
  assert.equal((await ask('log')).events[0].data.operation, 'create')
})

test('a claim is refused while the agent is busy or the phase is claimed', async () => {
  const { ask, hosts } = worldOf()
  await ask('open', { now: NOW, busy: true })
  assert.equal(hosts[0].claim(), null)
  await ask('busy', { on: false })
  const release = hosts[0].claim()
  assert.equal(hosts[0].claim(), null)
  release()
  release()
  assert.deepEqual(told(await ask('log')), [{ claim: 'ok' }, { claim: 'busy' }, { release: true }])
  assert.equal(hosts[0].idle, true)
})

test('what a follow-up wakes is parked until the release, and then holds the turn', async () => {
  const { ask, hosts } = worldOf()
  await ask('open', { now: NOW, turns: 'hold' })
  const release = hosts[0].claim()
  hosts[0].followup('text')
  assert.equal(hosts[0].busy, false)
  release()
  assert.equal(hosts[0].busy, true)
  await ask('busy', { on: false })
  hosts[0].followup('more')
  assert.equal(hosts[0].busy, true)
})

test('a follow-up that fails is not seen', async () => {
  const { ask, hosts } = worldOf()
  await ask('open', { now: NOW })
  await ask('faults', { followup: 'fail', text: 'full' })
  assert.throws(() => hosts[0].followup('x'), /full/)
  assert.deepEqual((await ask('log')).observed, [])
})

test('a return to idle is told to listeners and to those who wait', async () => {
  const seen = []
  const { ask, hosts } = worldOf()
  await ask('open', { now: NOW, busy: true })
  const end = hosts[0].onIdle(() => seen.push('listener'))
  hosts[0].whenIdle().then(() => seen.push('waited'))
  await ask('busy', { on: true })
  assert.deepEqual(seen, [])
  await ask('busy', { on: false })
  assert.deepEqual(seen, ['listener', 'waited'])
  await ask('turn')
  end()
  await ask('turn')
  assert.deepEqual(seen, ['listener', 'waited', 'listener'])
})

test('an abort reaches the call, and is its answer only where the call ends with it', async () => {
  const { ask } = worldOf({
    tool: async (host, { heed }, signal) => {
      await host.barrier()
      if (heed) signal.throwIfAborted()
      return 'done'
    },
  })
  await ask('open', { now: NOW })
  for (const heed of [true, false]) {
    await ask('barrier', { outcomes: ['hold'] })
    await ask('call', { callId: 'c', tool: 'tool', arguments: { heed } })
    assert.deepEqual(told(await ask('abort', { callId: 'c' })), [])
    const [, answer] = told(await ask('release', { outcome: 'ok' }))
    assert.deepEqual(answer, { answer: { callId: 'c', ...(heed ? { aborted: true } : { value: 'done' }) } })
  }
})

test('after a crash nothing of the old process goes on: timers, held barriers, listeners', async () => {
  const { ask, hosts } = worldOf({
    begin: (host) => {
      host.time.setTimeout(() => host.append('t', 'timer'), 10)
      host.onIdle(() => host.time.setTimeout(() => host.append('t', 'idle'), 10))
      host.barrier().then(() => host.append('t', 'barrier'))
    },
  })
  await ask('open', { now: NOW, busy: true, events: [{ type: 'a' }, { type: 'b' }] })
  await ask('busy', { on: false })
  await ask('barrier', { outcomes: ['hold'] })
  hosts[0].barrier().then(() => hosts[0].append('t', 'held'))
  // The barrier at the beginning acknowledged two events: no crash takes them away.
  await ask('crash', { keep: 1 })
  assert.deepEqual(await ask('advance_time', { ms: 100 }), { observed: [] })
  assert.deepEqual(await ask('log'), { observed: [], events: [{ type: 'a' }, { type: 'b' }] })
  await assert.rejects(ask('call', { callId: 'c', tool: 'tool', arguments: {} }), /not live/)
  await assert.rejects(ask('release', { outcome: 'ok' }), /no barrier is held/)
  const reopened = await ask('reopen', { now: NOW + 5 })
  assert.deepEqual(reopened.tools, ['tool'])
  assert.equal(reopened.observed[0].at, NOW + 5)
})

test('scripts of barriers and faults outlive a crash', async () => {
  const { ask, hosts } = worldOf()
  await ask('open', { now: NOW })
  await ask('crash', { keep: 0 })
  await ask('barrier', { outcomes: ['missing'] })
  await ask('faults', { followup: 'fail' })
  await ask('reopen')
  assert.equal(await hosts[1].barrier(), 'missing')
  assert.throws(() => hosts[1].followup('x'))
})

test('a live session that is reopened is disposed of first', async () => {
  const seen = []
  const { ask } = worldOf({ begin: () => seen.push('begin'), dispose: async () => void seen.push('dispose') })
  await ask('open', { now: NOW })
  await ask('reopen')
  assert.deepEqual(seen, ['begin', 'dispose', 'begin'])
})

test('a fork has the prefix, its length as seedLength, and a log of its own', async () => {
  const { ask, hosts } = worldOf()
  await ask('open', { now: NOW, events: [{ type: 'a' }, { type: 'b' }], seedLength: 1 })
  assert.equal(hosts[0].seedLength, 1)
  await ask('fork', { at: 1, as: 'f' })
  assert.equal(hosts[1].seedLength, 1)
  hosts[1].append('c', null)
  assert.deepEqual((await ask('log', { session: 'f' })).events, [{ type: 'a' }, { type: 'c', data: null }])
  assert.equal((await ask('log')).events.length, 2)
})

test('a foreign event is appended unseen, unless the implementation refuses it', async () => {
  const admit = (event) => { if (event.type === 'bad') throw new Rejection('corrupt_schedule_log') }
  const { ask } = worldOf({ admit })
  await ask('open', { now: NOW })
  assert.deepEqual(await ask('append', { event: { type: 'good', more: 1 } }), { observed: [] })
  await assert.rejects(ask('append', { event: { type: 'bad' } }), Rejection)
  assert.deepEqual((await ask('log')).events, [{ type: 'good', more: 1 }])
})

test('a new world has no sessions, and nothing of the old one goes on', async () => {
  const { ask, world } = worldOf({
    begin: (host) => host.onIdle(() => host.time.setTimeout(() => host.steer('late'), 10)),
  })
  await ask('open', { now: NOW })
  await ask('turn')
  world.begin()
  await assert.rejects(ask('log'), /no session/)
  assert.deepEqual(await ask('advance_time', { ms: 100 }), { observed: [] })
})

test('a disposal that waits for a held barrier does not hold up the world', async () => {
  const { ask } = worldOf({ dispose: async (host) => void (await host.barrier()) })
  await ask('open', { now: NOW })
  await ask('barrier', { outcomes: ['hold'] })
  assert.deepEqual(await ask('dispose'), { observed: [] })
  assert.deepEqual(told(await ask('release', { outcome: 'ok' })), [{ barrier: 'ok' }])
})
