import { isDeepStrictEqual } from 'node:util';
import type { updateMeetingBody } from '@atrium/proto-events/http/meeting-fields';
import { EVERY_PERIOD, normalizeRule, type Rule } from '@atrium/proto-events/recurrence';
import type { z } from 'zod';
import { localDay } from '../series/recurrence.ts';
import type { ScopedOccurrences } from '../series/series-scope.ts';
import type { Details, MeetingRow } from './meeting-repository.ts';

export type Body = z.output<typeof updateMeetingBody>;

/** When a meeting is to take place from now on. */
export type Timing = { start: Date; end: Date; timezone: string };

/** A rule and the last day on which it holds. */
export type RuleChange = Rule & { lastDay: string | null };

/** What a PATCH really changes about a meeting: what it repeats of the present is left out. */
export type Wanted = {
  details: Partial<Details>;
  records: { notes?: string; summary?: string };
  timing: Timing | undefined;
  people: string[] | undefined;
  /** Set when the meeting is to repeat otherwise, or to begin repeating. */
  rule: RuleChange | undefined;
  /** The names of the fields, as the API has them. */
  changed: string[];
};

const FIELDS = {
  title: 'title',
  description: 'description',
  type: 'type',
  location: 'location',
  meetingLink: 'meeting_link',
  agenda: 'agenda',
  project: 'project_id',
  room: 'room_id',
} as const satisfies Record<string, keyof Details>;

const RECORDS = { notes: 'notes', summary: 'summary' } as const;

/**
 * What a PATCH really changes of a meeting, or of the coming part of its series: there a field is repeated only when all of the part,
 * and what is made of the series later, has it so already.
 */
export function toMeetingPatch(row: MeetingRow, body: Body, part?: ScopedOccurrences): Wanted {
  const details = differing(part?.wordings ?? [row], body, FIELDS);
  const records = differing([row], body, RECORDS);
  const times = differingTimes(part ? placesOf(row, part) : [placeOf(row)], body);
  const people = differingPeople(row, body.participants, part);
  const rule = differingRule(row, body);
  return {
    details: details.change,
    records: records.change,
    timing: times.length > 0 ? timingOf(row, body, part) : undefined,
    people,
    rule: rule.length > 0 ? changedRule(row, body) : undefined,
    changed: [...details.names, ...records.names, ...times, ...(people ? ['participants'] : []), ...rule],
  };
}

function differing<Column extends keyof Row, Row extends object>(
  rows: readonly Row[],
  body: Body,
  fields: Record<string, Column>,
) {
  const given: Record<string, unknown> = body;
  const names = Object.keys(fields).filter((name) => {
    const column = fields[name];
    return column !== undefined && given[name] !== undefined && rows.some((row) => given[name] !== row[column]);
  });
  const change = Object.fromEntries(names.map((name) => [fields[name], given[name]]));
  return { names, change: change as Partial<Pick<Row, Column>> };
}

/** Where a meeting takes place in time, as milliseconds since 1970, in its zone. */
type Place = { start: number; end: number; timezone: string };

const placeOf = (row: MeetingRow): Place => ({
  start: row.starts_at.getTime(),
  end: row.ends_at.getTime(),
  timezone: row.timezone,
});

/** Where the rule has this meeting, and as many places for it as meetings of the part were moved away from theirs. */
function placesOf(row: MeetingRow, { series, members }: ScopedOccurrences): Place[] {
  const start = ruleStart(row).getTime();
  const rule = { start, end: start + series.duration_ms, timezone: series.timezone };
  const moved = members.map(({ original_start, starts_at, ends_at, timezone }) => {
    const [late, longer] = [starts_at.getTime() - original_start.getTime(), ends_at.getTime() - starts_at.getTime()];
    return { start: start + late, end: start + late + longer, timezone };
  });
  return [rule, ...moved];
}

const ruleStart = (row: MeetingRow) => row.original_start ?? row.starts_at;

function differingTimes(places: readonly Place[], { startTime, endTime, timezone }: Body): string[] {
  const names: string[] = [];
  const differs = (is: (place: Place) => boolean) => !places.every(is);
  if (startTime !== undefined && differs(({ start }) => start === Date.parse(startTime))) names.push('startTime');
  if (endTime !== undefined && differs(({ end }) => end === Date.parse(endTime))) names.push('endTime');
  if (timezone !== undefined && differs((place) => place.timezone === timezone)) names.push('timezone');
  return names;
}

/** What is not given stays: as the meeting is seen, or with another zone alone as the rule of its series has it. */
function timingOf(row: MeetingRow, body: Body, part: ScopedOccurrences | undefined): Timing {
  const timezone = body.timezone ?? row.timezone;
  if (part && body.startTime === undefined && body.endTime === undefined) {
    const start = ruleStart(row);
    return { start, end: new Date(start.getTime() + part.series.duration_ms), timezone };
  }
  return {
    start: body.startTime === undefined ? row.starts_at : new Date(body.startTime),
    end: body.endTime === undefined ? row.ends_at : new Date(body.endTime),
    timezone,
  };
}

/** The order of an invitation is not a difference. */
function differingPeople(
  row: MeetingRow,
  given: readonly string[] | undefined,
  part: ScopedOccurrences | undefined,
): string[] | undefined {
  if (given === undefined) return undefined;
  const wanted = [...new Set([row.organizer_id, ...given])];
  const present = part
    ? [part.series.participant_ids, ...part.members.flatMap(({ user_ids }) => (user_ids ? [user_ids] : []))]
    : [row.participants.map(({ id }) => id)];
  const isSame = (ids: readonly string[]) => {
    const known = new Set(ids);
    return wanted.length === ids.length && wanted.every((id) => known.has(id));
  };
  return present.every(isSame) ? undefined : wanted;
}

function differingRule(row: MeetingRow, body: Body): string[] {
  const names: string[] = [];
  if (body.isRecurring === true && row.series_id === null) names.push('isRecurring');
  const repeats = row.series_id !== null || body.isRecurring === true;
  if (!repeats) return names;
  if (body.recurringFrequency != null && body.recurringFrequency !== row.frequency) names.push('recurringFrequency');
  if (body.recurrence !== undefined && hasOtherRecurrence(row, body)) names.push('recurrence');
  if (body.recurringEndDate !== undefined && body.recurringEndDate !== row.last_day) names.push('recurringEndDate');
  return names;
}

/** Both as a series that has this meeting on its rule would store them. */
function hasOtherRecurrence(row: MeetingRow, body: Body): boolean {
  const wanted = changedRule(row, body);
  if (!wanted || row.frequency === null) return false;
  const day = localDay(ruleStart(row), row.series_timezone ?? row.timezone);
  const stored = normalizeRule({ frequency: row.frequency, ...(row.recurrence ?? EVERY_PERIOD) }, day);
  const { lastDay: _lastDay, ...rule } = wanted;
  return !isDeepStrictEqual(normalizeRule(rule, day), stored);
}

function changedRule(row: MeetingRow, body: Body): RuleChange | undefined {
  const frequency = body.recurringFrequency ?? row.frequency;
  if (frequency === null) return undefined;
  const stored = frequency === row.frequency ? row.recurrence : null;
  return {
    frequency,
    ...(body.recurrence ?? stored ?? EVERY_PERIOD),
    lastDay: body.recurringEndDate === undefined ? row.last_day : body.recurringEndDate,
  };
}
