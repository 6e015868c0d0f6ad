/** A time of the clock as `HH:MM`; `24:00` is the end of a day. */
type ClockTime = string;

const WORDS: Readonly<Record<string, ClockTime>> = { noon: '12:00', midday: '12:00', midnight: '00:00' };

/** Hours, minutes after any of the signs that people put there or after none, and which half of the day. */
const TYPED = /^(\d{1,2})(?:(?:[:.,h]|\s)?(\d{2})|h)?\s*([ap])?\.?(?:m\.?)?$/;
const HALF_DAY = 12;
const DAY = 24;

type Options = {
  /** What begins at that time: hours that could be meant of either half of the day are meant of the one after it. */
  after?: ClockTime | undefined;
  /** Until when something goes on: then 24 and midnight are the end of the day. */
  isDayEnd?: boolean;
};

/** A time as people type it: '9', '14:30', '2pm', '2:30 pm', '930', '9.30', 'noon'; undefined for what is none. */
export function typedTime(text: string, { after, isDayEnd = false }: Options = {}): ClockTime | undefined {
  const given = text.trim().toLowerCase();
  const word = WORDS[given];
  if (word !== undefined) return isDayEnd && word === '00:00' ? '24:00' : word;
  const [, first = '', second = '00', half] = TYPED.exec(given) ?? [];
  // 'am' alone is no half of a day without its first letter.
  if (first === '' || (half === undefined && given.endsWith('m'))) return undefined;
  const [hours, minutes] = [Number(first), Number(second)];
  if (minutes >= 60) return undefined;
  if (half !== undefined) return hours >= 1 && hours <= HALF_DAY ? clock(ofHalf(hours, half), minutes) : undefined;
  if (hours === DAY && minutes === 0 && isDayEnd) return '24:00';
  if (hours >= DAY) return undefined;
  const time = clock(hours, minutes);
  const later = clock(hours + HALF_DAY, minutes);
  const isEither = hours >= 1 && hours < HALF_DAY && !first.startsWith('0');
  return isEither && after !== undefined && time <= after && later > after ? later : time;
}

const ofHalf = (hours: number, half: string) => (hours % HALF_DAY) + (half === 'p' ? HALF_DAY : 0);

const two = (part: number) => String(part).padStart(2, '0');
const clock = (hours: number, minutes: number): ClockTime => `${two(hours)}:${two(minutes)}`;
