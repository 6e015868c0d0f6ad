import { toAsciiDigits } from '@atrium/proto-events/text/digits';
import { toNormalForm } from '@atrium/proto-events/text/normal-form';

export type HalfOfDay = 'am' | 'pm';

/** How people who speak certain languages write a time of day. */
export type TimeNotation = {
  /** Words for the halves of the day, the longest first. */
  halves: readonly (readonly [word: string, half: HalfOfDay])[];
  /** Signs and words that may stand around hours and minutes. */
  separators: ReadonlySet<string>;
  /** The first hour of a half: 0 where that is how one of the languages counts, as Japanese does, otherwise 1. */
  firstHour: 0 | 1;
};

const ENGLISH_HALVES = {
  'a.m.': 'am',
  'a.m': 'am',
  am: 'am',
  a: 'am',
  'p.m.': 'pm',
  'p.m': 'pm',
  pm: 'pm',
  p: 'pm',
} as const;
const SIGNS = [':', '.', ',', 'h', '٫', '،'];

const WAYS: readonly Intl.DateTimeFormatOptions[] = [
  { hour: 'numeric', hour12: true },
  { hour: 'numeric', hour12: false },
  { hour: 'numeric', minute: 'numeric' },
  { hour: 'numeric', minute: 'numeric', hour12: true },
  { hour: 'numeric', hour12: true, dayPeriod: 'long' },
  { hour: 'numeric', minute: '2-digit', second: '2-digit' },
  { timeStyle: 'full' },
];

const notations = new Map<string, TimeNotation>();

/** The notation of English and of these languages (BCP 47 tags), from CLDR; without any, of those that the browser prefers. */
export function timeNotation(languages: readonly string[] = navigator.languages): TimeNotation {
  const key = languages.join();
  const notation = notations.get(key) ?? createNotation(languages);
  notations.set(key, notation);
  return notation;
}

function createNotation(languages: readonly string[]): TimeNotation {
  const halves = new Map<string, HalfOfDay | undefined>(Object.entries(ENGLISH_HALVES));
  const separators = new Set(SIGNS);
  for (const { type, value, hour } of languages.flatMap(partsOfDay)) {
    const word = toAsciiDigits(toNormalForm(value, 'NFKC'))
      .replace(/\p{Cf}/gu, '')
      .toLowerCase()
      .trim();
    const half = hour < 12 ? 'am' : 'pm';
    if (type === 'literal') for (const one of word.split(/[\s()]+/)) if (one) separators.add(one);
    // A word for hours before and after noon, such as 'at night', says nothing about the half.
    if (type === 'dayPeriod' && word)
      halves.set(word, halves.has(word) && halves.get(word) !== half ? undefined : half);
  }
  const known = [...halves].filter((entry): entry is [string, HalfOfDay] => entry[1] !== undefined);
  const firstHour = languages.some(startsAtZero) ? 0 : 1;
  return { firstHour, halves: known.sort(([a], [b]) => b.length - a.length), separators };
}

const startsAtZero = (language: string) =>
  new Intl.DateTimeFormat(language, { hour: 'numeric', hour12: true }).resolvedOptions().hourCycle === 'h11';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

function partsOfDay(language: string) {
  return WAYS.flatMap((way) => {
    const formatter = new Intl.DateTimeFormat(language, { ...way, timeZone: 'UTC' });
    return HOURS.flatMap((hour) =>
      formatter.formatToParts(Date.UTC(2026, 0, 1, hour, 30)).map((part) => ({ ...part, hour })),
    );
  });
}
