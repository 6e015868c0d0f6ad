import { describe, expect, it } from '@jest/globals';
import { timeNotation } from './time-notation.ts';
import { typedTime } from './typed-time.ts';

const two = (part: number) => String(part).padStart(2, '0');

const SHAPES = [
  { hour: 'numeric', minute: '2-digit' },
  { hour: 'numeric', minute: '2-digit', hour12: true },
  { hour: 'numeric', minute: '2-digit', hour12: false },
  { timeStyle: 'short' },
] as const;
const WHOLE_HOURS = [{ hour: 'numeric' }, { hour: 'numeric', hour12: true }] as const;

const LOCALES = [
  ...[
    'en-US',
    'de-DE',
    'fa-IR',
    'ar-EG',
    'th-TH',
    'ja-JP',
    'he-IL',
    'ko-KR',
    'zh-CN',
    'zh-TW',
    'fr-CA',
    'bg-BG',
    'vi-VN',
  ],
  ...['hi-IN', 'am-ET', 'my-MM', 'hu-HU', 'fi-FI', 'da-DK', 'ne-NP', 'dz-BT', 'es-ES', 'el-GR'],
];

/** Every notation of a time in a locale that is not read as that time. */
function misread(locale: string) {
  const notation = timeNotation([locale]);
  const formatters = [...SHAPES, ...WHOLE_HOURS].map(
    (shape) => new Intl.DateTimeFormat(locale, { ...shape, timeZone: 'UTC' }),
  );
  return [...Array(24).keys()].flatMap((hour) =>
    [0, 5, 30, 59].flatMap((minute) =>
      formatters
        .slice(0, minute === 0 ? undefined : SHAPES.length)
        .map((formatter) => formatter.format(Date.UTC(2026, 0, 1, hour, minute)))
        .filter((text) => typedTime(text, { notation }) !== `${two(hour)}:${two(minute)}`),
    ),
  );
}

describe('a typed time in the notation of a locale', () => {
  it.each(LOCALES)('is read as %s writes it', (locale) => {
    expect(misread(locale)).toEqual([]);
  });

  it.each([
    ['9 Uhr', 'de-DE', '09:00'],
    ['9 Uhr 30', 'de-DE', '09:30'],
    ['۹:۳۰', 'fa-IR', '09:30'],
    ['۹:۳۰', 'en-US', '09:30'],
    ['٩:٣٠ م', 'ar-EG', '21:30'],
    ['９：３０', 'ja-JP', '09:30'],
    ['午後2時30分', 'ja-JP', '14:30'],
    ['๑๓:๓๐', 'th-TH', '13:30'],
    ['nachmittags 3', 'de-DE', '15:00'],
    ['\u200f9:30', 'he-IL', '09:30'],
  ])('reads %s in %s', (text, locale, time) => {
    expect(typedTime(text, { notation: timeNotation([locale]) })).toBe(time);
  });

  it.each(['9 Ohr', '9:3', '-9', '9:30:00', '25 Uhr', '9 Uhr 60', 'Uhr'])('rejects "%s"', (text) => {
    expect(typedTime(text, { notation: timeNotation(['de-DE']) })).toBeUndefined();
  });
});
