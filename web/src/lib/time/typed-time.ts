import { type DayPeriod, foldTime, type TimeNotation, timeNotation } from './time-notation.ts';

/** A time of day as `HH:MM`; `24:00` is the end of a day. */
type ClockTime = string;

const HALF_DAY = 12;
const DAY = 24;

type Options = {
  /** A time that this one must follow: an ambiguous hour is read as the one after it. */
  after?: ClockTime | undefined;
  isDayEnd?: boolean;
  notation?: TimeNotation;
};

/**
 * Parses a typed time: '9', '14:30', '2pm', '2:30 p.m.', '930', '9.30', 'noon'; in digits of any script and with the
 * words of the user's languages, such as '9 Uhr', '9h30', or '午後2時'. Returns undefined for anything else, and for an
 * hour that its word leaves ambiguous.
 */
export function typedTime(text: string, { after, isDayEnd = false, notation = timeNotation() }: Options = {}) {
  const typed = foldTime(text);
  const { period, rest } = takePeriod(typed, notation);
  if (period?.isName && /^\s*$/.test(rest)) return onTheHour([...period.hours], isDayEnd);
  const [first, second = '00'] = numbersIn(rest, notation) ?? [];
  if (first === undefined) return undefined;
  const hours = Number(first);
  const minutes = Number(second);
  if (minutes >= 60) return undefined;
  if (period !== undefined) {
    if (period.isEnglish && (hours < notation.firstHour || hours > HALF_DAY)) return undefined;
    const hour = resolveHour(hours, period);
    if (hour === undefined) return undefined;
    return hour === 0 && minutes === 0 && isDayEnd ? '24:00' : clock(hour, minutes);
  }
  if (hours === DAY && minutes === 0 && isDayEnd) return '24:00';
  if (hours >= DAY) return undefined;
  const time = clock(hours, minutes);
  const later = clock(hours + HALF_DAY, minutes);
  const isAmbiguous = hours >= 1 && hours < HALF_DAY && !first.startsWith('0');
  return isAmbiguous && after !== undefined && time <= after && later > after ? later : time;
}

function takePeriod(text: string, { periods }: TimeNotation): { period: DayPeriod | undefined; rest: string } {
  for (const period of periods) {
    const { word } = period;
    const index = text.indexOf(word);
    if (index === -1 || isLetter(text[index - 1]) || isLetter(text[index + word.length])) continue;
    return { period, rest: `${text.slice(0, index)} ${text.slice(index + word.length)}` };
  }
  return { period: undefined, rest: text };
}

const isLetter = (char: string | undefined) => char !== undefined && /[\p{L}\p{M}]/u.test(char);

function onTheHour([hour, ...otherHours]: readonly number[], isDayEnd: boolean): ClockTime | undefined {
  if (hour === undefined || otherHours.length > 0) return undefined;
  return hour === 0 && isDayEnd ? '24:00' : clock(hour, 0);
}

const MAX_NUMBERS = 3;

function numbersIn(text: string, notation: TimeNotation): readonly string[] | undefined {
  const tokens = text.match(/\d+|[^\d\s]+/g) ?? [];
  const numbers = tokens.filter(isNumber);
  if (numbers.length > MAX_NUMBERS || !tokens.every((_, index) => isPartOfTime(tokens, index, notation)))
    return undefined;
  const [first = '', second, seconds] = numbers;
  if (seconds !== undefined && !/^[0-5]\d$/.test(seconds)) return undefined;
  if (second !== undefined)
    return first.length <= 2 && second.length <= 2 && second.length >= notation.minuteDigits
      ? [first, second]
      : undefined;
  if (first.length <= 2) return first === '' ? undefined : [first];
  return first.length <= 4 ? [first.slice(0, -2), first.slice(-2)] : undefined;
}

const isNumber = (token: string) => /^\d/.test(token);

function isPartOfTime(tokens: readonly string[], index: number, { separators, minuteUnits }: TimeNotation): boolean {
  const token = tokens[index] ?? '';
  if (isNumber(token) || separators.has(token)) return true;
  return minuteUnits.has(token) && tokens.slice(0, index).filter(isNumber).length >= 2;
}

const padTwo = (part: number) => String(part).padStart(2, '0');
const clock = (hours: number, minutes: number): ClockTime => `${padTwo(hours)}:${padTwo(minutes)}`;

/** How many hours a typed hour may be outside its period, such as 12 at night; fewer for a period of one hour. */
const MAX_DISTANCE = 3;
const MAX_DISTANCE_FROM_ONE = 2;
/** Applies between midnight and noon, except to 12. */
const MAX_DISTANCE_IN_MORNING = 5;
/** How much closer to the period one half of the day must be than the other. */
const MIN_LEAD = 3;

/**
 * Chooses the half of the day whose hours are in or close to the period, because languages differ in the limits of
 * periods. Returns undefined if both halves are possible.
 */
function resolveHour(typedHour: number, period: DayPeriod): number | undefined {
  if (typedHour > HALF_DAY) return period.hours.has(typedHour) ? typedHour : undefined;
  const [nearest, other] = [typedHour % HALF_DAY, (typedHour % HALF_DAY) + HALF_DAY]
    .map((hour) => ({ hour, distance: distanceTo(hour, period.hours) }))
    .toSorted((a, b) => a.distance - b.distance);
  if (nearest === undefined || other === undefined || other.distance === 0) return undefined;
  if (nearest.distance === 0) return nearest.hour;
  const isClose =
    nearest.distance <= getMaxDistance(typedHour, period.hours) && other.distance - nearest.distance >= MIN_LEAD;
  return isClose ? nearest.hour : undefined;
}

function getMaxDistance(typedHour: number, hours: ReadonlySet<number>): number {
  if (hours.size === 1) return MAX_DISTANCE_FROM_ONE;
  const isMorning = typedHour % HALF_DAY !== 0 && [...hours].every((hour) => hour < HALF_DAY);
  return isMorning ? MAX_DISTANCE_IN_MORNING : MAX_DISTANCE;
}

/** Noon separates morning from afternoon: only the period of noon itself crosses it. */
function distanceTo(hour: number, hours: ReadonlySet<number>): number {
  const isNoon = hours.size === 1 && hours.has(HALF_DAY);
  const distances = [...hours].map((periodHour) => {
    if (isNoon) return Math.abs(hour - periodHour);
    const onSameHalf = Math.floor(hour / HALF_DAY) === Math.floor(periodHour / HALF_DAY);
    // Counts across midnight, between evening and night.
    return onSameHalf ? Math.abs(hour - periodHour) : DAY - Math.abs(hour - periodHour);
  });
  return Math.min(...distances);
}
