/**
 * Strict decoding of durable changes and the records in them.
 *
 * Clauses: text.trim, text.prompt, number.safe-integer, id.shape, record.*, change.*. Whatever is refused here is
 * `corrupt_schedule_log`.
 */

import { Rejection, isObject } from '../../../kits/node/adapter.mjs'
import { parseInstant } from './instants.mjs'

/** The greatest interval whose milliseconds are a safe integer (record.every). */
export const LONGEST_INTERVAL = 9007199254740

/** The least interval in seconds (record.every, every.minimum). */
export const SHORTEST_INTERVAL = 300

/**
 * @param {string} what
 * @returns {never}
 */
export function corrupt(what) {
  throw new Rejection('corrupt_schedule_log', what)
}

/**
 * @param {unknown} change
 * @returns {Record<string, any>} the change itself (change.lossless)
 */
export function decodeChange(change) {
  if (!isObject(change)) corrupt('a change is an object')
  if (change.version !== 1) corrupt('the version is 1')
  switch (change.operation) {
    case 'create':
      requireKeys(change, ['version', 'operation', 'schedule'])
      decodeRecord(change.schedule)
      return change
    case 'delete':
      requireKeys(change, ['version', 'operation', 'id'])
      requireTrimmed(change.id, 'id')
      return change
    case 'dispatch':
      requireTrimmed(change.id, 'id')
      if (Object.hasOwn(change, 'acceptedAt')) {
        requireKeys(change, ['version', 'operation', 'id', 'acceptedAt'])
        if (parseInstant(change.acceptedAt) === null) corrupt('acceptedAt is no canonical instant')
      } else {
        requireKeys(change, ['version', 'operation', 'id'])
      }
      return change
    default:
      return corrupt('no such operation')
  }
}

/**
 * @param {unknown} record
 * @returns {Record<string, any>} the record itself
 */
export function decodeRecord(record) {
  if (!isObject(record)) corrupt('a record is an object')
  switch (record.kind) {
    case 'after':
      requireKeys(record, ['id', 'kind', 'prompt', 'afterSeconds', 'scheduledAt'])
      if (!isPositive(record.afterSeconds)) corrupt('afterSeconds is no positive safe integer')
      break
    case 'at':
      requireKeys(record, ['id', 'kind', 'prompt', 'scheduledAt'])
      break
    case 'every':
      requireKeys(record, ['id', 'kind', 'prompt', 'everySeconds', 'scheduledAt'])
      if (!isInterval(record.everySeconds)) corrupt('everySeconds is no interval')
      break
    default:
      corrupt('no such kind')
  }
  requireTrimmed(record.id, 'id')
  requireTrimmed(record.prompt, 'prompt')
  if (parseInstant(record.scheduledAt) === null) corrupt('scheduledAt is no canonical instant')
  return record
}

/** @param {unknown} value */
export function isPositive(value) {
  return Number.isSafeInteger(value) && /** @type {number} */ (value) > 0
}

/** @param {unknown} value */
function isInterval(value) {
  const seconds = /** @type {number} */ (value)
  return Number.isSafeInteger(value) && SHORTEST_INTERVAL <= seconds && seconds <= LONGEST_INTERVAL
}

/**
 * @param {Record<string, any>} object
 * @param {string[]} keys exactly these, in any order
 */
function requireKeys(object, keys) {
  if (Object.keys(object).length !== keys.length || !keys.every((key) => Object.hasOwn(object, key))) {
    corrupt(`exactly these members: ${keys.join(', ')}`)
  }
}

/**
 * @param {unknown} text
 * @param {string} name
 */
function requireTrimmed(text, name) {
  if (typeof text !== 'string' || text === '' || text !== text.trim()) corrupt(`${name} is empty, padded or no text`)
}
