import { Temporal } from 'temporal-polyfill';
import { type Component, clockValue, type Property, text } from './jcal.ts';

/** A transition between two offsets. */
type Onset = {
  /** By the previous offset, as RFC 5545 requires. */
  local: Temporal.PlainDateTime;
  from: string;
  to: string;
  dst: boolean;
  name: string;
};

const YEARS_AHEAD = 5;
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/**
 * Describes a zone from a time on as a VTIMEZONE (RFC 5545, section 3.6.5). Transitions on a fixed weekday of their
 * month, as in most of the world, are written as rules, which every calendar application supports; others as dates.
 */
export function vtimezone(zone: string, from: Date): Component {
  const start = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(zone);
  const onsets = listOnsets(start);
  return ['vtimezone', [text('tzid', zone)], onsets.length === 0 ? [toFixedObservance(start)] : toObservances(onsets)];
}

/** Returns the transition in force at the start, and those of the following years. */
function listOnsets(start: Temporal.ZonedDateTime): Onset[] {
  const end = start.add({ years: YEARS_AHEAD });
  const onsets: Onset[] = [];
  let next = start.getTimeZoneTransition('next');
  // A zone without future transitions keeps its offset, so its past ones do not matter.
  if (next && Temporal.ZonedDateTime.compare(next, end) <= 0) {
    // Searches from the next nanosecond, since the start may be a transition itself.
    const current = start.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
    if (current) onsets.push(toOnset(current));
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
  return { local, from: formatOffset(before), to: formatOffset(at), dst, name: getAbbreviation(at) };
}

function toObservances(onsets: Onset[]): Component[] {
  const groups = Map.groupBy(onsets, ({ from, to }) => `${from}${to}`);
  return [...groups.values()].flatMap((group) => toObservance(group, findYearlyRule(group)));
}

/** Returns the yearly rule that all onsets follow, if there is one. */
function findYearlyRule(onsets: Onset[]): object | undefined {
  const locals = onsets.map(({ local }) => local);
  const [first] = locals;
  if (!first || locals.length < 2) return undefined;
  const isYearly = locals.every(
    (local, index) =>
      local.year === first.year + index &&
      local.month === first.month &&
      local.dayOfWeek === first.dayOfWeek &&
      local.toPlainTime().equals(first.toPlainTime()),
  );
  if (!isYearly) return undefined;
  const isLastWeek = locals.every((local) => local.day + 7 > local.daysInMonth);
  const week = Math.ceil(first.day / 7);
  if (!isLastWeek && !locals.every((local) => Math.ceil(local.day / 7) === week)) return undefined;
  return { freq: 'YEARLY', bymonth: first.month, byday: `${isLastWeek ? '-1' : week}${DAYS[first.dayOfWeek - 1]}` };
}

function toObservance(onsets: Onset[], rule: object | undefined): Component[] {
  const [first] = onsets;
  if (!first) return [];
  // RDATE repeats the first onset: some applications use DTSTART as an onset only without RDATE.
  const dates = onsets.map(({ local }): Property => ['rdate', {}, 'date-time', clockValue(local)]);
  const properties: Property[] = [
    ...toCommonProperties(first),
    ...(rule ? [['rrule', {}, 'recur', rule] satisfies Property] : dates),
  ];
  return [[first.dst ? 'daylight' : 'standard', properties, []]];
}

function toFixedObservance(start: Temporal.ZonedDateTime): Component {
  const offset = formatOffset(start);
  const local = Temporal.PlainDateTime.from('1970-01-01T00:00:00');
  return ['standard', toCommonProperties({ local, from: offset, to: offset, name: getAbbreviation(start) }), []];
}

const toCommonProperties = ({ local, from, to, name }: Omit<Onset, 'dst'>): Property[] => [
  ['dtstart', {}, 'date-time', clockValue(local)],
  ['tzoffsetfrom', {}, 'utc-offset', from],
  ['tzoffsetto', {}, 'utc-offset', to],
  text('tzname', name),
];

/** Whole minutes suffice: no zone has had seconds since 1972. */
const formatOffset = (at: Temporal.ZonedDateTime) => at.offset.slice(0, 6);

function getAbbreviation(at: Temporal.ZonedDateTime): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: at.timeZoneId, timeZoneName: 'short' });
  return format.formatToParts(at.epochMilliseconds).find(({ type }) => type === 'timeZoneName')?.value ?? at.timeZoneId;
}
