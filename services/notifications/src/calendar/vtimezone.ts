import { Temporal } from 'temporal-polyfill';

/** A change of the clock. `local` is when, by the clock that was valid until then, as RFC 5545 writes it. */
type Onset = { local: Temporal.PlainDateTime; from: string; to: string; dst: boolean; name: string };

const YEARS_AHEAD = 5;
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/**
 * The VTIMEZONE of a zone (RFC 5545, section 3.6.5) as it is from a moment on. Where each change of the year falls on the same
 * weekday of its month, as in most of the world, it is told as a rule, which every calendar program reads; else as dates.
 */
export function vtimezone(zone: string, from: Date): string {
  const start = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(zone);
  const onsets = onsetsAround(start);
  const components = onsets.length === 0 ? [fixed(start)] : describe(onsets);
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...components.flat(), 'END:VTIMEZONE'].join('\r\n');
}

/** The change that was in force at the start, and those of the following years. */
function onsetsAround(start: Temporal.ZonedDateTime): Onset[] {
  const end = start.add({ years: YEARS_AHEAD });
  const onsets: Onset[] = [];
  let next = start.getTimeZoneTransition('next');
  // A zone that last changed long ago keeps its offset: only coming changes matter.
  if (next && Temporal.ZonedDateTime.compare(next, end) <= 0) {
    const last = start.getTimeZoneTransition('previous');
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

function describe(onsets: Onset[]): string[][] {
  const kinds = Map.groupBy(onsets, ({ from, to }) => `${from}${to}`);
  return [...kinds.values()].map((kind) => observance(kind, ruleOf(kind)));
}

/** `FREQ=YEARLY` in the words of RFC 5545 where all onsets fit one, else undefined. */
function ruleOf(onsets: Onset[]): string | undefined {
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
  return `FREQ=YEARLY;BYMONTH=${first.month};BYDAY=${last ? '-1' : week}${DAYS[first.dayOfWeek - 1]}`;
}

function observance(onsets: Onset[], rule: string | undefined): string[] {
  const [first] = onsets;
  if (!first) return [];
  const kind = first.dst ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${kind}`,
    `DTSTART:${compact(first.local)}`,
    `TZOFFSETFROM:${first.from}`,
    `TZOFFSETTO:${first.to}`,
    `TZNAME:${first.name}`,
    // The first is listed again: some programs take DTSTART for an onset only where nothing else is.
    ...(rule ? [`RRULE:${rule}`] : onsets.map(({ local }) => `RDATE:${compact(local)}`)),
    `END:${kind}`,
  ];
}

function fixed(start: Temporal.ZonedDateTime): string[] {
  const zone = offset(start);
  return [
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    `TZOFFSETFROM:${zone}`,
    `TZOFFSETTO:${zone}`,
    `TZNAME:${abbreviation(start)}`,
    'END:STANDARD',
  ];
}

const compact = (local: Temporal.PlainDateTime) => local.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');

const offset = (at: Temporal.ZonedDateTime) => at.offset.replaceAll(':', '').slice(0, 5);

function abbreviation(at: Temporal.ZonedDateTime): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: at.timeZoneId, timeZoneName: 'short' });
  return format.formatToParts(at.epochMilliseconds).find(({ type }) => type === 'timeZoneName')?.value ?? at.timeZoneId;
}
