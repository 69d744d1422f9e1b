/**
 * What a creation stores: from a selector and one clock sample to a record.
 *
 * Clauses: tool.create-selector, tool.create-prompt, after.*, every.*, at.*, local.*.
 */

import { Rejection, isObject } from '../../../kits/node/adapter.mjs'
import { LONGEST_INTERVAL, SHORTEST_INTERVAL, isPositive } from './changes.mjs'
import { formatInstant, inRange } from './instants.mjs'
import { instantsOf, zone } from './zones.mjs'

const SELECTORS = ['after_seconds', 'at', 'every_seconds']

const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/

const TIME = /^([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,3}))?$/

const WITH_OFFSET = /^([^T]{10})T([0-9:.]+)(Z|([+-])([0-9]{2}):([0-9]{2}))$/

/**
 * What the input alone shows (tool.shape-first): selector, prompt, integer and minimum.
 *
 * @param {Record<string, any>} input prompt and exactly one selector
 * @returns {{ selector: string, prompt: string }} the prompt is trimmed
 */
export function checkShape(input) {
  const present = SELECTORS.filter((name) => Object.hasOwn(input, name))
  if (present.length !== 1) throw new Rejection('invalid_selector')
  const prompt = typeof input.prompt === 'string' ? input.prompt.trim() : ''
  if (prompt === '') throw new Rejection('invalid_prompt')
  const { after_seconds: delay, every_seconds: interval } = input
  const [selector] = present
  if (selector === 'after_seconds' && !isPositive(delay)) throw new Rejection('invalid_rule')
  if (selector === 'every_seconds' && !Number.isSafeInteger(interval)) throw new Rejection('invalid_rule')
  if (selector === 'every_seconds' && interval < SHORTEST_INTERVAL) throw new Rejection('frequency_too_high')
  return { selector, prompt }
}

/**
 * @param {Record<string, any>} input id, prompt, exactly one selector, and the clock sample `now` in ms
 * @returns {Record<string, any>} the record
 */
export function create(input) {
  const { selector, prompt } = checkShape(input)
  const { id, now, after_seconds: delay, every_seconds: interval, at } = input
  switch (selector) {
    case 'after_seconds':
      return { id, kind: 'after', prompt, afterSeconds: delay, scheduledAt: target(now, delay) }
    case 'every_seconds':
      if (interval > LONGEST_INTERVAL) throw new Rejection('time_out_of_range')
      return { id, kind: 'every', prompt, everySeconds: interval, scheduledAt: target(now, interval) }
    default:
      return { id, kind: 'at', prompt, scheduledAt: formatInstant(future(absolute(at), now)) }
  }
}

/**
 * @param {unknown} now in ms
 * @param {number} seconds
 */
function target(now, seconds) {
  // A product beyond 2^53 may be rounded; its sum with a safe integer is then far out of range.
  return formatInstant(within(sample(now) + seconds * 1000))
}

/**
 * @param {number} time in ms
 * @param {unknown} now in ms
 */
function future(time, now) {
  if (within(time) <= sample(now)) throw new Rejection('not_future')
  return time
}

/** @param {unknown} now */
function sample(now) {
  if (!Number.isSafeInteger(now)) throw new Rejection('time_out_of_range', 'the clock sample is no safe integer')
  return /** @type {number} */ (now)
}

/** @param {number} time in ms */
function within(time) {
  if (!inRange(time)) throw new Rejection('time_out_of_range')
  return time
}

/**
 * @param {unknown} at
 * @returns {number} in ms, of any year
 */
function absolute(at) {
  if (typeof at === 'string') return fromOffsetForm(at)
  if (isObject(at)) return fromLocalForm(at)
  throw new Rejection('invalid_rule', 'at is neither text nor object')
}

/** @param {string} text */
function fromOffsetForm(text) {
  const match = WITH_OFFSET.exec(text)
  if (match === null) throw new Rejection('invalid_rule', 'not the form of an instant with an offset')
  const [, date, time, zulu, sign, hours, minutes] = match
  const wall = reading(date, time)
  if (zulu === 'Z') return wall
  if (Number(hours) > 23 || Number(minutes) > 59 || zulu === '-00:00') {
    throw new Rejection('invalid_rule', 'no such offset')
  }
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  return sign === '+' ? wall - offset : wall + offset
}

/** @param {Record<string, any>} at */
function fromLocalForm(at) {
  const { date, time, time_zone: name } = at
  const whole = ['date', 'time', 'time_zone'].every((key) => Object.hasOwn(at, key)) && Object.keys(at).length === 3
  if (!whole || typeof date !== 'string' || typeof time !== 'string') throw new Rejection('invalid_rule')
  if (typeof name !== 'string') throw new Rejection('invalid_time_zone')
  const wall = reading(date, time)
  const format = zone(name)
  if (format === null) throw new Rejection('invalid_time_zone')
  const [first] = instantsOf(format, wall)
  if (first === undefined) throw new Rejection('invalid_rule', 'the wall time does not occur in the zone')
  return first
}

/**
 * A date and a time of day as if they were UTC (at.real-date, at.fraction).
 *
 * @param {string} date
 * @param {string} time
 * @returns {number} in ms
 */
function reading(date, time) {
  const match = TIME.exec(time)
  if (match === null || !DATE.test(date)) throw new Rejection('invalid_rule', 'not the form of a date and a time')
  const text = `${date}T${match[1]}.${(match[2] ?? '').padEnd(3, '0')}Z`
  const wall = Date.parse(text)
  if (!Number.isFinite(wall) || formatInstant(wall) !== text || date.startsWith('0000')) {
    throw new Rejection('invalid_rule', 'no such date or time')
  }
  return wall
}
