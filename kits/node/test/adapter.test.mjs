import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { CODES, Rejection, Unsupported, members, respond } from '../adapter.mjs'

const KIT = new URL('../adapter.mjs', import.meta.url).href

/** What an adapter does with a request of each kind. */
const HANDLERS = `{
  echo: (request) => ({ request }),
  later: async ({ ms }) => { await new Promise((resolve) => setTimeout(resolve, ms)); return { ms } },
  refuse: () => { throw new Rejection('invalid_rule', 'no') },
  lack: () => { throw new Unsupported('moon') },
  crash: () => { throw new TypeError('boom') },
  reject: () => Promise.reject(new Error('boom later')),
  nothing: () => undefined,
  infinite: () => ({ number: Infinity }),
  hole: () => ({ list: [undefined] }),
  big: () => ({ number: 1n }),
  print: () => { console.log('noise'); return {} },
  stray: () => { Promise.reject(new Error('unseen')); return {} },
  timer: () => new Promise(() => { setTimeout(() => { throw new Error('in a timer') }, 1) }),
}`

const ADAPTER = {
  hello: { implementation: { name: 'n', version: 'v', language: 'l' }, profile: 'v1', features: [] },
  handlers: new Function('Rejection', 'Unsupported', `return ${HANDLERS}`)(Rejection, Unsupported),
}

async function ask(request) {
  return JSON.parse(await respond(ADAPTER, JSON.stringify(request)))
}

test('hello says the protocol and what the adapter says of itself', async () => {
  const reply = await ask({ seq: 0, cmd: 'hello', protocol: 1, suite: '0' })
  assert.deepEqual(reply, { seq: 0, result: { protocol: 1, ...ADAPTER.hello } })
})

test('hello begins a new world, and another protocol does not', async () => {
  let begun = 0
  const adapter = { ...ADAPTER, begin: () => { begun += 1 } }
  await respond(adapter, '{"seq":1,"cmd":"hello","protocol":1.0,"suite":"0"}')
  assert.equal(begun, 1)
  for (const protocol of [2, 0, '1', null, true]) {
    const reply = JSON.parse(await respond(adapter, JSON.stringify({ seq: 1, cmd: 'hello', protocol, suite: '0' })))
    assert.deepEqual(Object.keys(reply), ['seq', 'error'])
  }
  assert.equal(begun, 1)
})

test('a command without a handler is unsupported, whatever its name', async () => {
  for (const cmd of ['no-such', '__proto__', 'constructor', 'toString']) {
    assert.deepEqual(await ask({ seq: 3, cmd }), { seq: 3, unsupported: { feature: cmd } })
  }
  assert.deepEqual(await ask({ seq: 3, cmd: 'lack' }), { seq: 3, unsupported: { feature: 'moon' } })
})

test('only a Rejection is a domain answer', async (context) => {
  context.mock.method(console, 'error', () => {})
  assert.deepEqual(await ask({ seq: 1, cmd: 'refuse' }), { seq: 1, rejected: { code: 'invalid_rule', message: 'no' } })
  for (const cmd of ['crash', 'reject', 'nothing', 'infinite', 'hole', 'big']) {
    const reply = await ask({ seq: 1, cmd })
    assert.deepEqual(Object.keys(reply), ['seq', 'error'], cmd)
    assert.equal(typeof reply.error.message, 'string')
  }
  assert.throws(() => new Rejection('no_such_code'), TypeError)
  assert.equal(CODES.length, 10)
})

test('a Rejection without a message has none', async () => {
  const adapter = { ...ADAPTER, handlers: { a: () => { throw new Rejection('not_future') } } }
  assert.equal(await respond(adapter, '{"seq":1,"cmd":"a"}'), '{"seq":1,"rejected":{"code":"not_future"}}')
})

test('blank lines are passed over', async () => {
  for (const line of ['', ' ', '\t \r', Buffer.from('')]) assert.equal(await respond(ADAPTER, line), null)
})

test('a line that is no object with a seq is answered with seq null', async () => {
  const none = ['{', '5', 'null', '[]', 'NaN', "{'seq':1}", '\ufeff{"seq":1}']
  const numberless = ['{}', '{"seq":"1"}', '{"seq":-1}', '{"seq":1.5}']
  for (const line of [...none, ...numberless, Buffer.from([0x7b, 0xff, 0x7d]), Buffer.from([0xed, 0xa0, 0x80])]) {
    const reply = JSON.parse(await respond(ADAPTER, line))
    assert.equal(reply.seq, null, String(line))
    assert.deepEqual(Object.keys(reply), ['seq', 'error'])
  }
  assert.deepEqual(Object.keys(await ask({ seq: 4 })), ['seq', 'error'])
})

test('text comes back as it went, unpaired surrogates as escapes', async () => {
  for (const text of ['é', '\u{1f4a7}', '\ud800', 'a\udfffb', '\u2028', '\0']) {
    const line = await respond(ADAPTER, JSON.stringify({ seq: 1, cmd: 'echo', text }))
    assert.equal(line.isWellFormed?.() ?? true, true)
    assert.equal(JSON.parse(line).result.request.text, text)
  }
  const escaped = '{"seq":1,"cmd":"echo","text":"\\ud83d\\udca7"}'
  assert.equal(JSON.parse(await respond(ADAPTER, escaped)).result.request.text, '\u{1f4a7}')
})

test('a member named __proto__ is a member', async () => {
  const line = await respond(ADAPTER, '{"seq":1,"cmd":"echo","__proto__":{"x":1}}')
  assert.match(line, /"__proto__":\{"x":1\}/)
})

test('members come from the request, or from its JSON text', () => {
  assert.deepEqual(members({ seq: 1, change: 2 }, 'invalid_rule'), { seq: 1, change: 2 })
  assert.deepEqual(members({ json: '{"a":1,"a":3e2}' }, 'invalid_rule'), { a: 300 })
  for (const json of ['', '{', '[]', 'null', '5', '{"a":NaN}', '{"a":1,}', '\ufeff{}', '{"a":"\n"}']) {
    assert.throws(() => members({ json }, 'corrupt_schedule_log'), { code: 'corrupt_schedule_log' }, json)
  }
})

test('deep nesting neither breaks the adapter nor counts as a rejection', async (context) => {
  context.mock.method(console, 'error', () => {})
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  const reply = JSON.parse(await respond(ADAPTER, `{"seq":9,"cmd":"lack","deep":${deep}}`))
  assert.deepEqual(reply, { seq: 9, unsupported: { feature: 'moon' } })
  const echoed = JSON.parse(await respond(ADAPTER, `{"seq":9,"cmd":"echo","deep":${deep}}`))
  assert.deepEqual(Object.keys(echoed), ['seq', 'error'])
})

/** Serve the handlers in a process of their own; write pieces to it, end it, and return what it said. */
async function served(...pieces) {
  const folder = await mkdtemp(join(tmpdir(), 'schedule-kit-'))
  try {
    const file = join(folder, 'adapter.mjs')
    const program = `import { Rejection, Unsupported, serve } from ${JSON.stringify(KIT)}
      await serve({ hello: ${JSON.stringify(ADAPTER.hello)}, handlers: ${HANDLERS} })`
    await writeFile(file, program)
    const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'pipe'] })
    const output = []
    const errors = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => errors.push(chunk))
    for (const piece of pieces) await new Promise((resolve) => child.stdin.write(piece, resolve))
    child.stdin.end()
    const status = await new Promise((resolve) => child.on('close', resolve))
    const lines = Buffer.concat(output).toString().split('\n')
    assert.equal(lines.pop(), '')
    return { status, replies: lines.map((line) => JSON.parse(line)), errors: Buffer.concat(errors).toString() }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const line = (request) => `${JSON.stringify(request)}\n`

test('requests are answered in order, also where a later one is faster; the end of input is status 0', async () => {
  const { status, replies } = await served(
    line({ seq: 1, cmd: 'later', ms: 30 }) + line({ seq: 2, cmd: 'echo' }),
    '\n' + JSON.stringify({ seq: 3, cmd: 'lack' }),
  )
  assert.equal(status, 0)
  assert.deepEqual(replies.map((reply) => reply.seq), [1, 2, 3])
})

test('a chunk may end anywhere, within a character too', async () => {
  const bytes = Buffer.from(line({ seq: 1, cmd: 'echo', text: 'é\u{1f4a7}' }))
  const cut = bytes.indexOf(0xf0) + 2
  const { replies } = await served(bytes.subarray(0, 3), bytes.subarray(3, cut), bytes.subarray(cut))
  assert.equal(replies[0].result.request.text, 'é\u{1f4a7}')
})

test('a long line is answered whole', async () => {
  const text = 'x'.repeat(3_000_000)
  const { replies } = await served(line({ seq: 1, cmd: 'echo', text }), line({ seq: 2, cmd: 'echo' }))
  assert.equal(replies[0].result.request.text, text)
  assert.equal(replies[1].seq, 2)
})

test('what an implementation prints goes to standard error', async () => {
  const { replies, errors } = await served(line({ seq: 1, cmd: 'print' }))
  assert.deepEqual(replies, [{ seq: 1, result: {} }])
  assert.match(errors, /noise/)
})

test('what breaks outside a handler is the error of that request, and the next is answered', async () => {
  const { status, replies } = await served(
    line({ seq: 1, cmd: 'stray' }) + line({ seq: 2, cmd: 'timer' }) + line({ seq: 3, cmd: 'echo' }),
  )
  assert.equal(status, 0)
  assert.match(replies[0].error.message, /unseen/)
  assert.match(replies[1].error.message, /in a timer/)
  assert.deepEqual(replies.map((reply) => [reply.seq, 'error' in reply]), [[1, true], [2, true], [3, false]])
})
