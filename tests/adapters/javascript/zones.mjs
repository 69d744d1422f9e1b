/**
 * Time zones as the runtime's own Intl knows them, and the instants of a wall time.
 *
 * Clauses: zone.names, local.*.
 */

const NAME = /^(?:UTC|[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+)+)$/

const OFFSET = /^GMT(?:([+-])([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?)?$/

const HOUR = 3_600_000

/** No zone's offset ever reached this. */
const BEYOND_EVERY_OFFSET = 16 * HOUR

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map()

/**
 * @param {string} name
 * @returns {Intl.DateTimeFormat | null} what writes the zone's offsets; null for what is no zone's name
 */
export function zone(name) {
  if (!NAME.test(name)) return null
  const known = formats.get(name)
  if (known !== undefined) return known
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset', year: 'numeric' })
    formats.set(name, format)
    return format
  } catch {
    return null
  }
}

/**
 * The instants at which a zone's clocks show a wall time, in order: none in a gap, two in an overlap.
 *
 * @param {Intl.DateTimeFormat} format
 * @param {number} wall the wall time's ms as if it were UTC
 * @returns {number[]} in ms
 */
export function instantsOf(format, wall) {
  // Within this window lies each instant that can show the wall time. It is shorter than any time between two changes
  // of a zone's offset, so the offsets at its ends are all that occur in it.
  const offsets = [wall - BEYOND_EVERY_OFFSET, wall + BEYOND_EVERY_OFFSET].map((time) => offsetAt(format, time))
  return [...new Set(offsets)]
    .map((offset) => wall - offset)
    .filter((time) => time + offsetAt(format, time) === wall)
    .sort((one, other) => one - other)
}

/**
 * @param {Intl.DateTimeFormat} format
 * @param {number} time in ms
 * @returns {number} ms east of UTC
 */
function offsetAt(format, time) {
  const name = format.formatToParts(time).find((part) => part.type === 'timeZoneName')?.value ?? ''
  const match = OFFSET.exec(name)
  if (match === null) throw new Error(`Intl writes an offset as ${JSON.stringify(name)}`)
  const [, sign, hours, minutes, seconds] = match
  if (sign === undefined) return 0
  const size = Number(hours) * HOUR + Number(minutes) * 60_000 + Number(seconds ?? 0) * 1000
  return sign === '-' ? -size : size
}
