import { toAsciiDigits } from '@atrium/proto-events/text/digits';
import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import { type TimeNotation, timeNotation } from './time-notation.ts';

/** A time of day as `HH:MM`; `24:00` is the end of a day. */
type ClockTime = string;

const NAMED: Readonly<Record<string, ClockTime>> = { noon: '12:00', midday: '12:00', midnight: '00:00' };

const HALF_DAY = 12;
const DAY = 24;

type Options = {
  /** The time that this one must follow: an hour that fits both halves of the day is read as the one after it. */
  after?: ClockTime | undefined;
  /** Whether the time ends a day, so that 24 and midnight are its end. */
  isDayEnd?: boolean;
  notation?: TimeNotation;
};

/**
 * A time as people type it: '9', '14:30', '2pm', '2:30 p.m.', '930', '9.30', 'noon'; in digits of any script, and with the
 * words that the user's languages put there, such as '9 Uhr', '9h30', or '午後2時'. Undefined for anything else.
 */
export function typedTime(text: string, { after, isDayEnd = false, notation = timeNotation() }: Options = {}) {
  const typed = toAsciiDigits(toNormalForm(text, 'NFKC'))
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .trim();
  const named = NAMED[typed];
  if (named !== undefined) return isDayEnd && named === '00:00' ? '24:00' : named;
  const { half, rest } = takeHalfOfDay(typed, notation);
  const [first, second = '00'] = numbersIn(rest, notation) ?? [];
  if (first === undefined) return undefined;
  const [hours, minutes] = [Number(first), Number(second)];
  if (minutes >= 60) return undefined;
  if (half !== undefined)
    return hours >= notation.firstHour && hours <= HALF_DAY ? clock(inHalf(hours, half), minutes) : undefined;
  if (hours === DAY && minutes === 0 && isDayEnd) return '24:00';
  if (hours >= DAY) return undefined;
  const time = clock(hours, minutes);
  const later = clock(hours + HALF_DAY, minutes);
  const isEither = hours >= 1 && hours < HALF_DAY && !first.startsWith('0');
  return isEither && after !== undefined && time <= after && later > after ? later : time;
}

/** Takes the word for the half of the day out of a text. */
function takeHalfOfDay(text: string, { halves }: TimeNotation) {
  for (const [word, half] of halves) {
    const at = text.indexOf(word);
    if (at === -1 || isLetter(text[at - 1]) || isLetter(text[at + word.length])) continue;
    return { half, rest: `${text.slice(0, at)} ${text.slice(at + word.length)}` };
  }
  return { half: undefined, rest: text };
}

const isLetter = (char: string | undefined) => char !== undefined && /\p{L}/u.test(char);

/** Hours and minutes of '9', '9:30', or '0930', with nothing around them but what belongs to a time; undefined for anything else. */
function numbersIn(text: string, { separators }: TimeNotation): readonly string[] | undefined {
  const tokens = text.match(/\d+|[^\d\s]+/g) ?? [];
  const numbers = tokens.filter((token) => /^\d/.test(token));
  if (tokens.some((token) => !/^\d/.test(token) && !separators.has(token))) return undefined;
  const [first = '', second] = numbers;
  if (numbers.length > 2) return undefined;
  if (second !== undefined) return first.length <= 2 && second.length === 2 ? [first, second] : undefined;
  if (first.length <= 2) return first === '' ? undefined : [first];
  return first.length <= 4 ? [first.slice(0, -2), first.slice(-2)] : undefined;
}

const inHalf = (hours: number, half: 'am' | 'pm') => (hours % HALF_DAY) + (half === 'pm' ? HALF_DAY : 0);

const two = (part: number) => String(part).padStart(2, '0');
const clock = (hours: number, minutes: number): ClockTime => `${two(hours)}:${two(minutes)}`;
