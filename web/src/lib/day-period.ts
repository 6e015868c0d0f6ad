import type { DayPeriod } from './time-notation.ts';

const HALF_DAY = 12;
const DAY = 24;
/** How many hours an hour may be outside of its period, such as 12 at night; fewer for a period of one hour. */
const MAX_DISTANCE = 3;
const MAX_DISTANCE_FROM_ONE = 2;
/** Between midnight and noon, exclusive of 12. */
const MAX_DISTANCE_IN_MORNING = 5;
/** How much closer to the period one half of the day must be than the other. */
const MIN_LEAD = 3;

/**
 * Resolves an hour with a day period to 0–23: the half of the day whose hours are in or close to the period. Languages
 * and people set the limits of periods differently; undefined where both halves are possible.
 */
export function resolveHour(typed: number, period: DayPeriod): number | undefined {
  if (typed > HALF_DAY) return period.hours.has(typed) ? typed : undefined;
  const [nearest, other] = [typed % HALF_DAY, (typed % HALF_DAY) + HALF_DAY]
    .map((hour) => ({ hour, distance: distanceTo(hour, period.hours) }))
    .toSorted((a, b) => a.distance - b.distance);
  if (nearest === undefined || other === undefined || other.distance === 0) return undefined;
  if (nearest.distance === 0) return nearest.hour;
  const isClose =
    nearest.distance <= maxDistanceOf(typed, period.hours) && other.distance - nearest.distance >= MIN_LEAD;
  return isClose ? nearest.hour : undefined;
}

function maxDistanceOf(typed: number, hours: ReadonlySet<number>): number {
  if (hours.size === 1) return MAX_DISTANCE_FROM_ONE;
  const isOfMorning = typed % HALF_DAY !== 0 && [...hours].every((hour) => hour < HALF_DAY);
  return isOfMorning ? MAX_DISTANCE_IN_MORNING : MAX_DISTANCE;
}

/**
 * Hours to the closest hour of the period. Noon separates morning from afternoon: only the period of noon itself
 * crosses it.
 */
function distanceTo(hour: number, hours: ReadonlySet<number>): number {
  const isNoon = hours.size === 1 && hours.has(HALF_DAY);
  const distances = [...hours].map((one) => {
    if (isNoon) return Math.abs(hour - one);
    const onSameHalf = Math.floor(hour / HALF_DAY) === Math.floor(one / HALF_DAY);
    // Across midnight, between evening and night.
    return onSameHalf ? Math.abs(hour - one) : DAY - Math.abs(hour - one);
  });
  return Math.min(...distances);
}
