/**
 * Points in time: integers of milliseconds since 1970-01-01T00:00:00Z, and their one durable spelling.
 *
 * Clauses: instant.canonical, instant.range, instant.round-trip.
 */

/** 0001-01-01T00:00:00.000Z */
export const EARLIEST = -62135596800000

/** 9999-12-31T23:59:59.999Z */
export const LATEST = 253402300799999

const CANONICAL = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/

/**
 * Whether a time may be durable (instant.range).
 *
 * @param {number} time in ms
 */
export function inRange(time) {
  return EARLIEST <= time && time <= LATEST
}

/**
 * A durable instant in ms; null for what is no canonical instant (instant.canonical).
 *
 * @param {unknown} text
 * @returns {number | null}
 */
export function parseInstant(text) {
  if (typeof text !== 'string' || !CANONICAL.test(text)) return null
  const time = Date.parse(text)
  // Dates that need normalization and hour 24 come back as another text; the year 0000 lies before the range.
  return Number.isFinite(time) && inRange(time) && formatInstant(time) === text ? time : null
}

/**
 * The canonical spelling of a time in range.
 *
 * @param {number} time in ms
 */
export function formatInstant(time) {
  return new Date(time).toISOString()
}
