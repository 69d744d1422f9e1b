/**
 * Fixed-rate advancement: the latest occurrence due, and the first one after it.
 *
 * Clauses: rate.*. All values are safe integers and `%` is exact on them.
 */

import { LATEST, formatInstant, inRange, parseInstant } from './instants.mjs'
import { corrupt } from './changes.mjs'

/**
 * @param {Record<string, any>} record an every
 * @param {number} acceptedAt the decision time in ms
 * @returns {{ occurrence: number, next: number | null }} in ms; `next` is null where the dispatch ends the record
 */
export function advance(record, acceptedAt) {
  const target = /** @type {number} */ (parseInstant(record.scheduledAt))
  const interval = record.everySeconds * 1000
  if (!inRange(acceptedAt)) corrupt('the decision time is out of range')
  if (acceptedAt < target) corrupt('the decision time is before the target')
  const occurrence = acceptedAt - ((acceptedAt - target) % interval)
  const next = occurrence + interval
  return { occurrence, next: next <= LATEST ? next : null }
}

/**
 * @param {Record<string, any>} record an every
 * @param {number} acceptedAt in ms
 * @returns {Record<string, any> | null} the record with its new target, null where it has ended
 */
export function advanced(record, acceptedAt) {
  const { next } = advance(record, acceptedAt)
  return next === null ? null : { ...record, scheduledAt: formatInstant(next) }
}
