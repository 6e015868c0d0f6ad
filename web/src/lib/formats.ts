type Time = Date | number | string;
type Options = Readonly<Intl.DateTimeFormatOptions>;

// To make one takes a hundred times as long as to use it, and a list uses the same for each of its rows.
const dates = new Map<string, Intl.DateTimeFormat>();
const numbers = new Map<string | undefined, Intl.NumberFormat>();

/** A time in the person's own way; empty for what is none. Throws a RangeError for a time zone that this browser does not know. */
export function formatTime(time: Time | undefined, options: Options): string {
  const date = validDate(time);
  return date ? dateFormat(options).format(date) : '';
}

/** The same in parts. */
export function timeParts(time: Time, options: Options): Intl.DateTimeFormatPart[] {
  const date = validDate(time);
  return date ? dateFormat(options).formatToParts(date) : [];
}

/** '1,234' in the person's own way, or in that of a locale. */
export function formatNumber(value: number, locale?: string): string {
  const format = numbers.get(locale) ?? new Intl.NumberFormat(locale);
  numbers.set(locale, format);
  return format.format(value);
}

/** '1 character too long', '1,234 characters too long'. */
export function surplusWords(surplus: number): string {
  return `${formatNumber(surplus)} ${surplus === 1 ? 'character' : 'characters'} too long`;
}

/** A formatter keeps the zone that it was made in, so whoever travels gets another. */
function dateFormat(options: Options): Intl.DateTimeFormat {
  const key = `${new Date().getTimezoneOffset()} ${JSON.stringify(options)}`;
  const format = dates.get(key) ?? new Intl.DateTimeFormat(undefined, options);
  dates.set(key, format);
  return format;
}

function validDate(time: Time | undefined): Date | undefined {
  const date = time === undefined ? undefined : new Date(time);
  return date && !Number.isNaN(date.getTime()) ? date : undefined;
}
