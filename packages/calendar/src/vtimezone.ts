import { Temporal } from 'temporal-polyfill';
import { type Component, clockValue, type Property, text } from './jcal.ts';

/** A transition. `local` is its time by the previous offset, as RFC 5545 requires. */
type Onset = { local: Temporal.PlainDateTime; from: string; to: string; dst: boolean; name: string };

const YEARS_AHEAD = 5;
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/**
 * The VTIMEZONE of a zone (RFC 5545, section 3.6.5) from a time on. Transitions on a fixed weekday of their month, as
 * in most of the world, are written as rules, which every calendar application supports; others as dates.
 */
export function vtimezone(zone: string, from: Date): Component {
  const start = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(zone);
  const onsets = onsetsAround(start);
  return ['vtimezone', [text('tzid', zone)], onsets.length === 0 ? [fixed(start)] : describe(onsets)];
}

/** The transition in force at the start, and those of the following years. */
function onsetsAround(start: Temporal.ZonedDateTime): Onset[] {
  const end = start.add({ years: YEARS_AHEAD });
  const onsets: Onset[] = [];
  let next = start.getTimeZoneTransition('next');
  // A zone whose last transition is long past keeps its offset: only future transitions matter.
  if (next && Temporal.ZonedDateTime.compare(next, end) <= 0) {
    // From the next nanosecond, since the start may be a transition itself.
    const last = start.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
    if (last) onsets.push(toOnset(last));
  }
  while (next && Temporal.ZonedDateTime.compare(next, end) <= 0) {
    onsets.push(toOnset(next));
    next = next.getTimeZoneTransition('next');
  }
  return onsets;
}

function toOnset(at: Temporal.ZonedDateTime): Onset {
  const before = at.subtract({ nanoseconds: 1 });
  // Ireland defines its winter time as the saving one; calendar applications only need the larger offset.
  const dst = at.offsetNanoseconds > before.offsetNanoseconds;
  const local = before.toPlainDateTime().add({ nanoseconds: 1 });
  return { local, from: offset(before), to: offset(at), dst, name: abbreviation(at) };
}

function describe(onsets: Onset[]): Component[] {
  const kinds = Map.groupBy(onsets, ({ from, to }) => `${from}${to}`);
  return [...kinds.values()].flatMap((kind) => observance(kind, ruleOf(kind)));
}

/** One yearly transition as a rule if all onsets match, otherwise undefined. */
function ruleOf(onsets: Onset[]): object | undefined {
  const locals = onsets.map(({ local }) => local);
  const [first] = locals;
  if (!first || locals.length < 2) return undefined;
  const alike = locals.every(
    (local, index) =>
      local.year === first.year + index &&
      local.month === first.month &&
      local.dayOfWeek === first.dayOfWeek &&
      local.toPlainTime().equals(first.toPlainTime()),
  );
  if (!alike) return undefined;
  const last = locals.every((local) => local.day + 7 > local.daysInMonth);
  const week = Math.ceil(first.day / 7);
  if (!last && !locals.every((local) => Math.ceil(local.day / 7) === week)) return undefined;
  return { freq: 'YEARLY', bymonth: first.month, byday: `${last ? '-1' : week}${DAYS[first.dayOfWeek - 1]}` };
}

function observance(onsets: Onset[], rule: object | undefined): Component[] {
  const [first] = onsets;
  if (!first) return [];
  // The first is repeated: some applications use DTSTART as an onset only without RDATE.
  const listed = onsets.map(({ local }): Property => ['rdate', {}, 'date-time', clockValue(local)]);
  const properties: Property[] = [
    ...common(first),
    ...(rule ? [['rrule', {}, 'recur', rule] satisfies Property] : listed),
  ];
  return [[first.dst ? 'daylight' : 'standard', properties, []]];
}

function fixed(start: Temporal.ZonedDateTime): Component {
  const [zone, local] = [offset(start), Temporal.PlainDateTime.from('1970-01-01T00:00:00')];
  return ['standard', common({ local, from: zone, to: zone, name: abbreviation(start) }), []];
}

const common = ({ local, from, to, name }: Omit<Onset, 'dst'>): Property[] => [
  ['dtstart', {}, 'date-time', clockValue(local)],
  ['tzoffsetfrom', {}, 'utc-offset', from],
  ['tzoffsetto', {}, 'utc-offset', to],
  text('tzname', name),
];

/** Whole minutes: no zone has had seconds since 1972. */
const offset = (at: Temporal.ZonedDateTime) => at.offset.slice(0, 6);

function abbreviation(at: Temporal.ZonedDateTime): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: at.timeZoneId, timeZoneName: 'short' });
  return format.formatToParts(at.epochMilliseconds).find(({ type }) => type === 'timeZoneName')?.value ?? at.timeZoneId;
}
