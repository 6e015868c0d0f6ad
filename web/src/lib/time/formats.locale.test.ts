import { describe, expect, it } from '@jest/globals';
import { getDateConventions, toEnglishLocale } from './date-preferences.ts';
import { createFormats } from './formats.ts';

const MORNING = new Date(2026, 10, 22, 4, 30);
const LATER = new Date(2026, 10, 22, 5, 0);
const SATURDAY = new Date(2026, 10, 28, 17, 5);
const DATE_AND_TIME = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
} as const;

const LOCALES = [
  'en-US',
  'en-GB',
  'de-DE',
  'fa-IR',
  'ar-EG',
  'ar-SA',
  'th-TH',
  'ja-JP',
  'he-IL',
  'hu-HU',
  'ne-NP',
  'vi-VN',
];

describe('dates for users of every locale', () => {
  it.each([
    ['en-US', 'Sun, Nov 22, 2026, 4:30 AM', '4:30 – 5:00 AM', 'Nov 22 – 28, 2026'],
    ['de-DE', 'Sun, 22 Nov 2026, 04:30', '04:30 – 05:00', '22 – 28 Nov 2026'],
    ['fa-IR', 'Sun, 22 Nov 2026, 04:30', '04:30 – 05:00', '22 – 28 Nov 2026'],
    ['ar-EG', 'Sun, 22 Nov 2026, 4:30 AM', '4:30 – 5:00 AM', '22 – 28 Nov 2026'],
    ['th-TH', 'Sun, 22 Nov 2026, 04:30', '04:30 – 05:00', '22 – 28 Nov 2026'],
    ['ja-JP', 'Sun, 2026 Nov 22, 04:30', '04:30 – 05:00', '2026 Nov 22 – 28'],
    ['he-IL', 'Sun, 22 Nov 2026, 04:30', '04:30 – 05:00', '22 – 28 Nov 2026'],
  ])('are in English, with the order and hour cycle of %s', (locale, time, times, days) => {
    const formats = createFormats(getDateConventions(locale));
    expect(formats.formatTime(MORNING, DATE_AND_TIME)).toBe(time);
    expect(formats.formatTimeRange(MORNING, LATER)).toBe(times);
    expect(formats.formatDayRange(MORNING, SATURDAY)).toBe(days);
  });

  it.each(LOCALES)('contain only ASCII words and digits and a Gregorian year for %s', (locale) => {
    const formats = createFormats(getDateConventions(locale));
    for (let month = 0; month < 12; month += 1) {
      const text = formats.formatTime(new Date(2026, month, 8, 13, 5), {
        ...DATE_AND_TIME,
        weekday: 'long',
        month: 'long',
      });
      expect(text).toMatch(/^[\x20-\x7e]+$/);
      expect(text).toMatch(/\b2026\b/);
      expect(text).toMatch(/\b8\b/);
    }
  });

  it('keep AM and PM apart where a range crosses noon', () => {
    const { formatTimeRange } = createFormats(getDateConventions('en-US'));
    expect(formatTimeRange(MORNING, SATURDAY)).toBe('4:30 AM – 5:05 PM');
  });

  it('name both months and both years of a range of days', () => {
    const { formatDayRange } = createFormats(getDateConventions('de-DE'));
    expect(formatDayRange(MORNING, new Date(2026, 11, 3))).toBe('22 Nov – 3 Dec 2026');
    expect(formatDayRange(MORNING, new Date(2027, 0, 3))).toBe('22 Nov 2026 – 3 Jan 2027');
  });

  it.each(LOCALES)('give date fields an English, Gregorian locale in the same order for %s', (locale) => {
    const conventions = getDateConventions(locale);
    const englishLocale = toEnglishLocale(conventions);
    expect(new Intl.DateTimeFormat(englishLocale).resolvedOptions()).toMatchObject({
      calendar: 'gregory',
      numberingSystem: 'latn',
    });
    const numeric = new Intl.DateTimeFormat(englishLocale, { year: 'numeric', month: 'numeric', day: 'numeric' });
    const first = numeric.formatToParts(MORNING)[0]?.type;
    expect(`${first}-first`).toBe(conventions.order);
  });
});
