import { describe, expect, it } from '@jest/globals';
import { timeExample, timeNotation } from './time-notation.ts';
import { typedTime } from './typed-time.ts';

const padTwo = (part: number) => String(part).padStart(2, '0');

const SHAPES = [
  { hour: 'numeric', minute: '2-digit' },
  { hour: 'numeric', minute: '2-digit', hour12: true },
  { hour: 'numeric', minute: '2-digit', hour12: false },
  { timeStyle: 'short' },
] as const;
const DAY_PERIODS = (['long', 'short', 'narrow'] as const).map(
  (dayPeriod) => ({ hour: 'numeric', hour12: true, dayPeriod }) as const,
);
const HOUR_SHAPES = [{ hour: 'numeric' }, { hour: 'numeric', hour12: true }, ...DAY_PERIODS] as const;

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
  ...[
    'hi-IN',
    'am-ET',
    'my-MM',
    'hu-HU',
    'fi-FI',
    'da-DK',
    'ne-NP',
    'dz-BT',
    'es-ES',
    'el-GR',
    'pt-BR',
    'id-ID',
    'yo-NG',
    'ru-RU',
    'it-IT',
    'pl-PL',
    'ta-IN',
    'bn-BD',
  ],
];

/** Finds every notation of a time in a locale that is not parsed as that time. */
function findMisreadTimes(locale: string) {
  const notation = timeNotation([locale]);
  const formatters = [...SHAPES, ...HOUR_SHAPES].map(
    (shape) => new Intl.DateTimeFormat(locale, { ...shape, timeZone: 'UTC' }),
  );
  return [...Array(24).keys()].flatMap((hour) =>
    [0, 5, 30, 59].flatMap((minute) =>
      formatters
        .slice(0, minute === 0 ? undefined : SHAPES.length)
        .map((formatter) => formatter.format(Date.UTC(2026, 0, 1, hour, minute)))
        .filter((text) => typedTime(text, { notation }) !== `${padTwo(hour)}:${padTwo(minute)}`),
    ),
  );
}

describe('a typed time in the notation of a locale', () => {
  it.each(LOCALES)('is parsed in the notation of %s', (locale) => {
    expect(findMisreadTimes(locale)).toEqual([]);
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
  ])('parses %s in %s', (text, locale, time) => {
    expect(typedTime(text, { notation: timeNotation([locale]) })).toBe(time);
  });

  it.each([
    ['中午11:30', 'zh-CN', '11:30'],
    ['中午1点', 'zh-CN', '13:00'],
    ['晚上12:00', 'zh-CN', '00:00'],
    ['晚上8点', 'zh-CN', '20:00'],
    ['晚上20:00', 'zh-CN', '20:00'],
    ['早上9点', 'zh-CN', '09:00'],
    ['凌晨0:30', 'zh-CN', '00:30'],
    ['下午2点', 'zh-CN', '14:00'],
    ['12 de la noche', 'es-ES', '00:00'],
    ['1 de la mañana', 'es-ES', '01:00'],
    ['1 Uhr morgens', 'de-DE', '01:00'],
    ['11 nachts', 'de-DE', '23:00'],
    ['12 del mediodía', 'es-ES', '12:00'],
    ['1 del mediodía', 'es-ES', '13:00'],
    ['8 de la tarde', 'es-ES', '20:00'],
    ['12 da noite', 'pt-BR', '00:00'],
    ['夜12時', 'ja-JP', '00:00'],
    ['12 malam', 'id-ID', '00:00'],
    ['12 at night', 'en-US', '00:00'],
    ['10 in the evening', 'en-US', '22:00'],
    ['3 утра', 'ru-RU', '03:00'],
    ['12 вечера', 'ru-RU', '00:00'],
    ['12 giờ đêm', 'vi-VN', '00:00'],
    ['12 du soir', 'fr-FR', '00:00'],
  ])('parses %s in %s as the hour nearest to its day period', (text, locale, time) => {
    expect(typedTime(text, { notation: timeNotation([locale]) })).toBe(time);
  });

  it.each([
    ['晚上2:00', 'zh-CN'],
    ['早上12:00', 'zh-CN'],
    ['9 nachts', 'de-DE'],
    ['12 morgens', 'de-DE'],
    ['12 de la mañana', 'es-ES'],
    ['11 de la tarde', 'es-ES'],
    ['2 malam', 'id-ID'],
    ['5 at night', 'en-US'],
    ['12 утра', 'ru-RU'],
    ['6 रात', 'hi-IN'],
    ['6 밤', 'ko-KR'],
  ])('rejects %s in %s, which is ambiguous', (text, locale) => {
    expect(typedTime(text, { notation: timeNotation([locale]) })).toBeUndefined();
  });

  it('never parses a morning word as an hour after noon, or an afternoon word as an hour before noon', () => {
    const misreadTimes = LOCALES.flatMap((locale) => {
      const notation = timeNotation([locale]);
      return notation.periods.flatMap(({ word, hours }) =>
        [...Array(13).keys()]
          .map((hour) => [`${word} ${hour}`, Number(typedTime(`${word} ${hour}`, { notation })?.slice(0, 2))] as const)
          .filter(([, hour]) => ![...hours, Number.NaN].includes(hour))
          .filter(([, hour]) => {
            const isMorning = [...hours].every((periodHour) => periodHour < 12);
            const isAfternoon = [...hours].every((periodHour) => periodHour >= 12 && periodHour < 18) && hours.size > 1;
            return (isMorning && hour >= 12 && hour < 20) || (isAfternoon && hour < 12);
          }),
      );
    });
    expect(misreadTimes).toEqual([]);
  });

  it.each([
    ['midi', 'fr-FR', '12:00'],
    ['Minuit', 'fr-FR', '00:00'],
    ['mediodía', 'es-ES', '12:00'],
    ['medianoche', 'es-MX', '00:00'],
    ['Mittag', 'de-DE', '12:00'],
    ['Mitternacht', 'de-DE', '00:00'],
    ['正午', 'ja-JP', '12:00'],
    ['中午', 'zh-CN', '12:00'],
    ['정오', 'ko-KR', '12:00'],
    ['자정', 'ko-KR', '00:00'],
    ['meia-noite', 'pt-BR', '00:00'],
    ['полночь', 'ru-RU', '00:00'],
    ['noon', 'ja-JP', '12:00'],
  ])('parses the word %s in %s', (text, locale, time) => {
    expect(typedTime(text, { notation: timeNotation([locale]) })).toBe(time);
  });

  it('parses midnight and 12 at night as the end of a day if an end is expected', () => {
    const parseEnd = (text: string, locale: string) =>
      typedTime(text, { notation: timeNotation([locale]), isDayEnd: true });
    expect([parseEnd('Mitternacht', 'de-DE'), parseEnd('晚上12:00', 'zh-CN')]).toEqual(['24:00', '24:00']);
  });

  it.each([
    ['klo 9', 'fi-FI', '09:00'],
    ['kl. 9.30', 'da-DK', '09:30'],
    ['kl. 9.30', 'nb-NO', '09:30'],
    ['kl. 9:30', 'sv-SE', '09:30'],
    ['ore 9', 'it-IT', '09:00'],
    ['9 ч', 'ru-RU', '09:00'],
    ['9 ч 30 мин', 'ru-RU', '09:30'],
    ['14 heures 30', 'fr-FR', '14:30'],
    ['um 9 Uhr', 'de-DE', '09:00'],
    ['9 Uhr 30 Min.', 'de-DE', '09:30'],
  ])('parses %s in %s with surrounding words', (text, locale, time) => {
    expect(typedTime(text, { notation: timeNotation([locale]) })).toBe(time);
  });

  it.each(['9 Ohr', '9:3', '-9', '5 Min.', '2 Stunden', '25 Uhr', '9 Uhr 60', 'Uhr'])('rejects "%s"', (text) => {
    expect(typedTime(text, { notation: timeNotation(['de-DE']) })).toBeUndefined();
  });
});

describe('timeExample', () => {
  it.each([
    ['en-US', '2pm'],
    ['en-GB', '2pm'],
    ['de-DE', '14 Uhr'],
    ['ja-JP', '14時'],
  ])('is a time in the notation of %s', (locale, example) => {
    expect(timeExample([locale])).toBe(example);
  });

  it.each(LOCALES)('is parsed as that time in %s', (locale) => {
    expect(typedTime(timeExample([locale]), { notation: timeNotation([locale]) })).toBe('14:00');
  });
});
