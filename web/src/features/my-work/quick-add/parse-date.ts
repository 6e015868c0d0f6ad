import { addDays, type Day, dateOfDay, dayOfDate } from '#lib/time/day.ts';

export type DateOrder = 'month-first' | 'day-first' | 'year-first';

type DateContext = { today: Day; order: DateOrder };

/** The day, and how many words express it. */
type ParsedDate = {
  day: Day;
  wordCount: number;
  /** Whether it may be another word, such as "sun", and is a date only at the end or after "on". */
  isAmbiguous: boolean;
};

const MAX_YEARS_AHEAD = 9;
const MAX_NUMBER = 999;
const FRIDAY = 5;
const SATURDAY = 6;

/** Reads the date at the beginning of the words, the longest first. */
export function parseDate(words: readonly string[], context: DateContext): ParsedDate | undefined {
  const lowerCase = words.slice(0, MAX_DATE_TOKENS).map((word) => word.toLowerCase());
  for (let wordCount = lowerCase.length; wordCount > 0; wordCount -= 1) {
    const text = lowerCase.slice(0, wordCount).join(' ');
    for (const { pattern, read, isAmbiguous } of PATTERNS) {
      const match = pattern.exec(text);
      const day = match && read(match.slice(1), context);
      if (day) return { day, wordCount, isAmbiguous: isAmbiguous?.(text) ?? false };
    }
  }
  return undefined;
}

const MAX_DATE_TOKENS = 4;

type Pattern = {
  pattern: RegExp;
  read: (parts: readonly (string | undefined)[], context: DateContext) => Day | undefined;
  isAmbiguous?: (text: string) => boolean;
};

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const WEEKDAY =
  '(sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?)';
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DATE = '(\\d{1,2})(?:st|nd|rd|th)?';
const YEAR = '(?:,? (\\d{4}))?';

const PATTERNS: readonly Pattern[] = [
  { pattern: /^today$/, read: (_, { today }) => today },
  { pattern: /^tomorrow$/, read: (_, { today }) => addDays(today, 1) },
  { pattern: /^(?:the )?day after tomorrow$/, read: (_, { today }) => addDays(today, 2) },
  {
    pattern: new RegExp(`^(?:this )?${WEEKDAY}$`),
    read: ([name = ''], { today }) => comingWeekday(today, weekdayIndex(name)),
    isAmbiguous: (text) => !text.startsWith('this ') && !WEEKDAYS.includes(text),
  },
  {
    pattern: new RegExp(`^next ${WEEKDAY}$`),
    read: ([name = ''], { today }) => addDays(nextMonday(today), (weekdayIndex(name) + 6) % 7),
  },
  { pattern: /^(?:this )weekend$/, read: (_, { today }) => upcoming(today, SATURDAY) },
  { pattern: /^next week$/, read: (_, { today }) => nextMonday(today) },
  { pattern: /^next month$/, read: (_, { today }) => toDay(yearOf(today), monthOf(today) + 1, 1) },
  { pattern: /^(?:(?:the )?end of (?:the )?week|eow)$/, read: (_, { today }) => upcoming(today, FRIDAY) },
  {
    pattern: /^(?:(?:the )?end of (?:the )?month|eom)$/,
    read: (_, { today }) => toDay(yearOf(today), monthOf(today) + 1, 0),
  },
  {
    pattern: /^in (\d{1,3}|an?|one|two|three|four|five|six) (day|week|month)s?$/,
    read: ([count = '', unit = ''], { today }) => addUnits(today, toNumber(count), unit),
  },
  {
    pattern: new RegExp(`^${MONTH} ${DATE}${YEAR}$`),
    read: ([month = '', date, year], { today }) =>
      dayInYear(today, { month: monthIndex(month), date: Number(date), year }),
  },
  {
    pattern: new RegExp(`^${DATE}(?: of)? ${MONTH}${YEAR}$`),
    read: ([date, month = '', year], { today }) =>
      dayInYear(today, { month: monthIndex(month), date: Number(date), year }),
  },
  {
    pattern: /^(\d{4})-(\d{1,2})-(\d{1,2})$/,
    read: ([year, month, date]) => validDay(Number(year), Number(month) - 1, Number(date)),
  },
  {
    pattern: /^(\d{1,2})\.(\d{1,2})\.(\d{4})?$/,
    read: ([date, month, year], { today }) => dayInYear(today, { month: Number(month) - 1, date: Number(date), year }),
  },
  { pattern: /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/, read: readSlashes },
];

function readSlashes(
  [first, second, year]: readonly (string | undefined)[],
  { today, order }: DateContext,
): Day | undefined {
  const numbers = [Number(first), Number(second)] as const;
  const [month, date] = order === 'day-first' ? numbers.toReversed() : numbers;
  const read = (monthNumber = 0, dateNumber = 0) =>
    dayInYear(today, { month: monthNumber - 1, date: dateNumber, year });
  // A number above 12 is no month.
  return read(month, date) ?? read(date, month);
}

const yearOf = (day: Day) => Number(day.slice(0, 4));
const monthOf = (day: Day) => Number(day.slice(5, 7)) - 1;
const toDay = (year: number, month: number, date: number): Day => dayOfDate(new Date(year, month, date));
const weekdayOf = (day: Day): number => dateOfDay(day)?.getDay() ?? 0;
const weekdayIndex = (name: string) => WEEKDAYS.findIndex((weekday) => weekday.startsWith(name.slice(0, 3)));
const monthIndex = (name: string) => MONTHS.indexOf(name.slice(0, 3));

/** Today, or the next day with this weekday. */
const upcoming = (today: Day, weekday: number): Day => addDays(today, (weekday - weekdayOf(today) + 7) % 7);

/** A weekday alone is never today. */
const comingWeekday = (today: Day, weekday: number): Day => upcoming(addDays(today, 1), weekday);

export const nextMonday = (today: Day): Day => comingWeekday(today, 1);

const NUMERALS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six'];
const toNumber = (text: string) =>
  /^an?$/.test(text) ? 1 : NUMERALS.includes(text) ? NUMERALS.indexOf(text) : Math.min(Number(text), MAX_NUMBER);

function addUnits(today: Day, count: number, unit: string): Day {
  if (unit === 'day') return addDays(today, count);
  if (unit === 'week') return addDays(today, count * 7);
  const lastDate = new Date(yearOf(today), monthOf(today) + count + 1, 0).getDate();
  return toDay(yearOf(today), monthOf(today) + count, Math.min(Number(today.slice(8)), lastDate));
}

type DateParts = { month: number; date: number; year: string | undefined };

/** Without a year, the next such day. February 29 may be years ahead. */
function dayInYear(today: Day, { month, date, year }: DateParts): Day | undefined {
  if (year !== undefined) return validDay(Number(year), month, date);
  for (let ahead = 0; ahead < MAX_YEARS_AHEAD; ahead += 1) {
    const day = validDay(yearOf(today) + ahead, month, date);
    if (day && day >= today) return day;
  }
  return undefined;
}

const MIN_YEAR = 1970;

function validDay(year: number, month: number, date: number): Day | undefined {
  if (year < MIN_YEAR) return undefined;
  const parsed = new Date(year, month, date);
  return parsed.getMonth() === month && parsed.getDate() === date ? dayOfDate(parsed) : undefined;
}
