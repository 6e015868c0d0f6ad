import { Temporal } from 'temporal-polyfill';
import { type Component, clockValue, type Property, text } from './jcal.ts';

/** A change of the clock. `local` is when, by the clock that was valid until then, as RFC 5545 writes it. */
type Onset = { local: Temporal.PlainDateTime; from: string; to: string; dst: boolean; name: string };

const YEARS_AHEAD = 5;
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/**
 * The VTIMEZONE of a zone (RFC 5545, section 3.6.5) as it is from a moment on. Where each change of the year falls on the same
 * weekday of its month, as in most of the world, it is told as a rule, which every calendar program reads; else as dates.
 */
export function vtimezone(zone: string, from: Date): Component {
  const start = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(zone);
  const onsets = onsetsAround(start);
  return ['vtimezone', [text('tzid', zone)], onsets.length === 0 ? [fixed(start)] : describe(onsets)];
}

/** The change that was in force at the start, and those of the following years. */
function onsetsAround(start: Temporal.ZonedDateTime): Onset[] {
  const end = start.add({ years: YEARS_AHEAD });
  const onsets: Onset[] = [];
  let next = start.getTimeZoneTransition('next');
  // A zone that last changed long ago keeps its offset: only coming changes matter.
  if (next && Temporal.ZonedDateTime.compare(next, end) <= 0) {
    // Looked for from the next moment, as the start may be the very moment of a change.
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
  // Ireland calls its winter time the saving one; calendar programs only ask which of the two is ahead.
  const dst = at.offsetNanoseconds > before.offsetNanoseconds;
  const local = before.toPlainDateTime().add({ nanoseconds: 1 });
  return { local, from: offset(before), to: offset(at), dst, name: abbreviation(at) };
}

function describe(onsets: Onset[]): Component[] {
  const kinds = Map.groupBy(onsets, ({ from, to }) => `${from}${to}`);
  return [...kinds.values()].flatMap((kind) => observance(kind, ruleOf(kind)));
}

/** One change a year as a rule where all onsets fit one, else undefined. */
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
  // The first is listed again: some programs take DTSTART for an onset only where nothing else is.
  const listed = onsets.map(({ local }): Property => ['rdate', {}, 'date-time', clockValue(local)]);
  const properties: Property[] = [
    ...facts(first),
    ...(rule ? [['rrule', {}, 'recur', rule] satisfies Property] : listed),
  ];
  return [[first.dst ? 'daylight' : 'standard', properties, []]];
}

function fixed(start: Temporal.ZonedDateTime): Component {
  const [zone, local] = [offset(start), Temporal.PlainDateTime.from('1970-01-01T00:00:00')];
  return ['standard', facts({ local, from: zone, to: zone, name: abbreviation(start) }), []];
}

const facts = ({ local, from, to, name }: Omit<Onset, 'dst'>): Property[] => [
  ['dtstart', {}, 'date-time', clockValue(local)],
  ['tzoffsetfrom', {}, 'utc-offset', from],
  ['tzoffsetto', {}, 'utc-offset', to],
  text('tzname', name),
];

/** Whole minutes: nobody has had seconds since 1972. */
const offset = (at: Temporal.ZonedDateTime) => at.offset.slice(0, 6);

function abbreviation(at: Temporal.ZonedDateTime): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: at.timeZoneId, timeZoneName: 'short' });
  return format.formatToParts(at.epochMilliseconds).find(({ type }) => type === 'timeZoneName')?.value ?? at.timeZoneId;
}
