import type { DayPeriod } from './time-notation.ts';

const HALF_DAY = 12;
const DAY = 24;
/** How many hours beyond those of its word an hour may be, such as 12 at night; fewer for a word of one hour alone. */
const MAX_DISTANCE = 3;
const MAX_DISTANCE_FROM_ONE = 2;
/** Between midnight and noon, which 12 is not. */
const MAX_DISTANCE_IN_MORNING = 5;
/** How much closer to the word's hours one half of the day must be than the other. */
const MIN_LEAD = 3;

/**
 * The hour from 0 to 23 that is meant by an hour beside a word for a part of the day: the one of both halves of the day that the word is
 * written for, or is close to those. Languages put the limits elsewhere than people do; what could be either is undefined.
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

/** Hours between an hour and the closest of a word's. Noon ends the morning and begins the afternoon: only its own word reaches across. */
function distanceTo(hour: number, hours: ReadonlySet<number>): number {
  const isNoon = hours.size === 1 && hours.has(HALF_DAY);
  const distances = [...hours].map((one) => {
    if (isNoon) return Math.abs(hour - one);
    const onSameHalf = Math.floor(hour / HALF_DAY) === Math.floor(one / HALF_DAY);
    // Across midnight, between the evening and the night.
    return onSameHalf ? Math.abs(hour - one) : DAY - Math.abs(hour - one);
  });
  return Math.min(...distances);
}
