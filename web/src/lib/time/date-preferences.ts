import { deviceStorage } from '../storage.ts';

type DateOrder = 'month-first' | 'day-first' | 'year-first';

export type HourCycle = 'h12' | 'h23';

export type DateConventions = { order: DateOrder; hourCycle: HourCycle };

const GREGORIAN = { calendar: 'gregory', numberingSystem: 'latn' } as const;
const ORDERS = { month: 'month-first', day: 'day-first', year: 'year-first' } as const;

export function getDateConventions(locale?: string): DateConventions {
  const date = new Intl.DateTimeFormat(locale, { ...GREGORIAN, dateStyle: 'medium' }).formatToParts(0);
  const first = date.map(({ type }) => type).find((type) => type in ORDERS) as keyof typeof ORDERS | undefined;
  const { hourCycle } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
  return {
    order: ORDERS[first ?? 'month'],
    hourCycle: hourCycle === 'h11' || hourCycle === 'h12' ? 'h12' : 'h23',
  };
}

const ENGLISH: Readonly<Record<DateOrder, string>> = {
  'month-first': 'en-US',
  'day-first': 'en-GB',
  'year-first': 'en-CA',
};

export const toEnglishLocale = ({ order, hourCycle }: DateConventions): string =>
  `${ENGLISH[order]}-u-ca-gregory-hc-${hourCycle}-nu-latn`;

const CLOCKS = ['auto', '12', '24'] as const;
export type Clock = (typeof CLOCKS)[number];

const WEEK_STARTS = ['sun', 'mon', 'sat'] as const;
export type WeekStart = (typeof WEEK_STARTS)[number];

const CLOCK_KEY = 'atrium:clock';
const WEEK_START_KEY = 'atrium:week-start';

const HOUR_CYCLES = { '12': 'h12', '24': 'h23' } as const;

export const chosenClock = (): Clock => CLOCKS.find((clock) => clock === deviceStorage.read(CLOCK_KEY)) ?? 'auto';

export const weekStart = (): WeekStart =>
  WEEK_STARTS.find((day) => day === deviceStorage.read(WEEK_START_KEY)) ?? 'sun';

/** Returns the first day of the week as a `Date.getDay` index. */
export const weekStartIndex = (): number => ({ sun: 0, mon: 1, sat: 6 })[weekStart()];

export function fromWeekStart<Day>(days: readonly Day[]): Day[] {
  const first = (weekStartIndex() + days.length - 1) % days.length;
  return [...days.slice(first), ...days.slice(0, first)];
}

export const storeClock = (clock: Clock): void => store(CLOCK_KEY, clock, 'auto');
export const storeWeekStart = (day: WeekStart): void => store(WEEK_START_KEY, day, 'sun');

function store(key: string, value: string, initial: string): void {
  if (value === initial) deviceStorage.remove(key);
  else deviceStorage.write(key, value);
}

export function chosenConventions(locale?: string): DateConventions {
  const conventions = getDateConventions(locale);
  const clock = chosenClock();
  return clock === 'auto' ? conventions : { ...conventions, hourCycle: HOUR_CYCLES[clock] };
}
