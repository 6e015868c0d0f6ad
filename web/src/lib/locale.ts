/** Which part of a date comes first. */
export type DateOrder = 'month-first' | 'day-first' | 'year-first';

export type HourCycle = 'h12' | 'h23';

/** What follows the user's locale. Texts, numbers, digits, and the calendar are American English everywhere. */
export type DateConventions = { order: DateOrder; hourCycle: HourCycle };

const GREGORIAN = { calendar: 'gregory', numberingSystem: 'latn' } as const;
const ORDERS = { month: 'month-first', day: 'day-first', year: 'year-first' } as const;

/** The conventions of a BCP 47 tag; by default those of the browser. */
export function conventionsOf(locale?: string): DateConventions {
  const date = new Intl.DateTimeFormat(locale, { ...GREGORIAN, dateStyle: 'medium' }).formatToParts(0);
  const first = date.map(({ type }) => type).find((type) => type in ORDERS) as keyof typeof ORDERS | undefined;
  const { hourCycle } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
  return {
    order: ORDERS[first ?? 'month'],
    hourCycle: hourCycle === 'h11' || hourCycle === 'h12' ? 'h12' : 'h23',
  };
}

/** English locales whose numeric dates have that order. */
const ENGLISH: Readonly<Record<DateOrder, string>> = {
  'month-first': 'en-US',
  'day-first': 'en-GB',
  'year-first': 'en-CA',
};

/** The locale for components that take one, such as React Aria's date fields. */
export const englishLocaleOf = ({ order, hourCycle }: DateConventions): string =>
  `${ENGLISH[order]}-u-ca-gregory-hc-${hourCycle}-nu-latn`;
