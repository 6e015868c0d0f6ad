import { toAsciiDigits } from '@atrium/proto-events/text/fold';
import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import { clockUnits, namedHours } from './time-names.ts';

/** A word with an hour, such as 'pm' or 'at night', or a name such as 'noon', and the hours 0–23 that it applies to. */
export type DayPeriod = { word: string; hours: ReadonlySet<number>; isName: boolean; isEnglish: boolean };

export type TimeNotation = {
  /** Longest first. */
  periods: readonly DayPeriod[];
  separators: ReadonlySet<string>;
  minuteUnits: ReadonlySet<string>;
  /** The first hour of a half day: 0 if one of the languages counts from 0, such as Japanese; otherwise 1. */
  firstHour: 0 | 1;
  /** The minimum number of minute digits; 1 if a language does not pad them, such as Yoruba. */
  minuteDigits: 1 | 2;
};

const NOON = 12;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const ENGLISH_HALVES = [
  { words: ['a.m.', 'a.m', 'am', 'a'], hours: HOURS.slice(0, 12) },
  { words: ['p.m.', 'p.m', 'pm', 'p'], hours: HOURS.slice(12) },
];
const SIGNS = [':', '.', ',', 'h', '٫', '،', "o'clock"];
const MINUTE_SIGNS = ['分'];

const TIME_FORMATS: readonly Intl.DateTimeFormatOptions[] = [
  { hour: 'numeric', hour12: true },
  { hour: 'numeric', hour12: false },
  { hour: 'numeric', minute: 'numeric' },
  { hour: 'numeric', minute: 'numeric', hour12: true },
  { timeStyle: 'short' },
  ...(['long', 'short', 'narrow'] as const).map((dayPeriod) => ({ hour: 'numeric', hour12: true, dayPeriod }) as const),
  { hour: 'numeric', minute: '2-digit', second: '2-digit' },
  { timeStyle: 'full' },
];
const DISPLAYS = ['narrow', 'short', 'long'] as const;
/** Contains a number of each plural category. */
const COUNTS = [0, 1, 2, 3, 5, 11, 20];

const notations = new Map<string, TimeNotation>();

/** The notation of English and of these languages (BCP 47 tags), from CLDR; by default those the browser prefers. */
export function timeNotation(languages: readonly string[] = navigator.languages): TimeNotation {
  const key = languages.join();
  const notation = notations.get(key) ?? createNotation(languages);
  notations.set(key, notation);
  return notation;
}

export const foldTime = (text: string): string =>
  toAsciiDigits(toNormalForm(text, 'NFKC'))
    .replace(/\p{Cf}/gu, '')
    .replaceAll('’', "'")
    .toLowerCase()
    .trim();

const splitWords = (text: string) =>
  foldTime(text)
    .split(/[\s()]+/)
    .filter(Boolean);

function createNotation(languages: readonly string[]): TimeNotation {
  const parts = languages.flatMap(partsOfDay);
  const literals = parts.filter(({ type }) => type === 'literal').map(({ value }) => value);
  const separators = [...literals, ...languages.flatMap(listWordsBeforeTime), ...clockUnits(languages)];
  return {
    periods: periodsIn(parts, languages),
    separators: new Set([...SIGNS, ...separators.flatMap(splitWords)]),
    minuteUnits: new Set([...MINUTE_SIGNS, ...languages.flatMap(listMinuteUnits).flatMap(splitWords)]),
    firstHour: languages.some(startsAtZero) ? 0 : 1,
    minuteDigits: parts.some(({ type, value }) => type === 'minute' && foldTime(value).length === 1) ? 1 : 2,
  };
}

type PartOfDay = Pick<Intl.DateTimeFormatPart, 'type' | 'value'> & { hour: number };

function periodsIn(parts: readonly PartOfDay[], languages: readonly string[]): DayPeriod[] {
  const hoursByWord = new Map<string, Set<number>>();
  const add = (word: string, hour: number) => hoursByWord.set(word, (hoursByWord.get(word) ?? new Set()).add(hour));
  const dayPeriods = parts.filter(({ type, value }) => type === 'dayPeriod' && foldTime(value) !== '');
  for (const { value, hour } of dayPeriods) add(foldTime(value), hour);
  const names = namedHours(languages).map(([name, hour]) => [foldTime(name), hour] as const);
  const formattedWords = new Set(hoursByWord.keys());
  for (const [name, hour] of names) if (!formattedWords.has(name)) add(name, hour);
  const english = ENGLISH_HALVES.flatMap(({ words, hours }) => words.map((word) => [word, hours] as const));
  for (const [word, hours] of english) for (const hour of hours) add(word, hour);
  return [...hoursByWord]
    .map(([word, hours]) => ({
      word,
      hours,
      isName: names.some(([name]) => name === word) || (hours.size === 1 && hours.has(NOON)),
      isEnglish: english.some(([englishWord]) => englishWord === word),
    }))
    .toSorted((a, b) => b.word.length - a.word.length);
}

const startsAtZero = (language: string) =>
  new Intl.DateTimeFormat(language, { hour: 'numeric', hour12: true }).resolvedOptions().hourCycle === 'h11';

function partsOfDay(language: string): PartOfDay[] {
  return TIME_FORMATS.flatMap((format) => {
    const formatter = new Intl.DateTimeFormat(language, { ...format, timeZone: 'UTC' });
    // The word for noon applies on the hour only.
    return HOURS.flatMap((hour) =>
      [0, 30].flatMap((minute) =>
        formatter.formatToParts(Date.UTC(2026, 0, 1, hour, minute)).map((part) => ({ ...part, hour })),
      ),
    );
  });
}

/** Lists the words that a language puts between a date and a time, such as 'at' or 'kl.'. */
function listWordsBeforeTime(language: string): string[] {
  const parts = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }).formatToParts(0);
  const separator = parts[parts.findIndex(({ type }) => type === 'hour') - 1];
  return separator?.type === 'literal' ? [separator.value] : [];
}

const listMinuteUnits = (language: string) =>
  DISPLAYS.flatMap((unitDisplay) => {
    const formatter = new Intl.NumberFormat(language, { style: 'unit', unit: 'minute', unitDisplay });
    return COUNTS.flatMap((count) => formatter.formatToParts(count))
      .filter(({ type }) => type === 'unit')
      .flatMap(({ value }) => [value, value.replace(/\.$/, '')]);
  });

const AFTERNOON = Date.UTC(2026, 0, 1, 14);

export function timeExample([language = 'en'] = navigator.languages): string {
  const [example = '', inHalves = ''] = [{}, { hour12: true }].map((options) =>
    new Intl.DateTimeFormat(language, { hour: 'numeric', timeZone: 'UTC', ...options }).format(AFTERNOON),
  );
  const text = /\p{L}/u.test(example) ? example : inHalves;
  return language.startsWith('en') ? foldTime(text).replaceAll(' ', '') : text;
}
