import { isDeepStrictEqual } from 'node:util';
import type { updateMeetingBody } from '@atrium/proto-events/http/meeting-fields';
import { DEFAULT_RECURRENCE, normalizeRule, type Rule } from '@atrium/proto-events/recurrence';
import type { z } from 'zod';
import { type Details, idsOf, type MeetingRow } from '../model/meeting-repository.ts';
import { localDay } from '../recurrence/local-time.ts';
import type { ScopedOccurrences } from './series-part.ts';

export type Body = z.output<typeof updateMeetingBody>;

type Timing = { start: Date; end: Date; timezone: string };

export type RuleChange = Rule & { lastDay: string | null };

export type MeetingPatch = {
  details: Partial<Details>;
  records: { notes?: string; summary?: string };
  timing: Timing | undefined;
  people: string[] | undefined;
  rule: RuleChange | undefined;
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

/** For a part of a series, a value counts as unchanged only if all its meetings and the template have it already. */
export function toMeetingPatch(row: MeetingRow, body: Body, part?: ScopedOccurrences): MeetingPatch {
  const details = diffFields(part?.detailVariants ?? [row], body, FIELDS);
  const records = diffFields([row], body, RECORDS);
  const times = diffTimes(part ? slotsOf(row, part) : [slotOf(row)], body);
  const people = diffParticipants(row, body.participants, part);
  const rule = diffRule(row, body);
  return {
    details: details.change,
    records: records.change,
    timing: times.length > 0 ? timingOf(row, body, part) : undefined,
    people,
    rule: rule.length > 0 ? changedRule(row, body) : undefined,
    changed: [...details.names, ...records.names, ...times, ...(people ? ['participants'] : []), ...rule],
  };
}

function diffFields<Column extends keyof Row, Row extends object>(
  rows: readonly Row[],
  body: Body,
  fields: Record<string, Column>,
) {
  const values: Record<string, unknown> = body;
  const names = Object.keys(fields).filter((name) => {
    const column = fields[name];
    return column !== undefined && values[name] !== undefined && rows.some((row) => values[name] !== row[column]);
  });
  const change = Object.fromEntries(names.map((name) => [fields[name], values[name]]));
  return { names, change: change as Partial<Pick<Row, Column>> };
}

/** Milliseconds of UNIX time. */
type TimeSlot = { start: number; end: number; timezone: string };

const slotOf = (row: MeetingRow): TimeSlot => ({
  start: row.starts_at.getTime(),
  end: row.ends_at.getTime(),
  timezone: row.timezone,
});

function slotsOf(row: MeetingRow, { series, members }: ScopedOccurrences): TimeSlot[] {
  const start = ruleStart(row).getTime();
  const rule = { start, end: start + series.duration_ms, timezone: series.timezone };
  const moved = members.map(({ original_start, starts_at, ends_at, timezone }) => {
    const [late, longer] = [starts_at.getTime() - original_start.getTime(), ends_at.getTime() - starts_at.getTime()];
    return { start: start + late, end: start + late + longer, timezone };
  });
  return [rule, ...moved];
}

const ruleStart = (row: MeetingRow) => row.original_start ?? row.starts_at;

function diffTimes(slots: readonly TimeSlot[], { startTime, endTime, timezone }: Body): string[] {
  const names: string[] = [];
  const differs = (is: (slot: TimeSlot) => boolean) => !slots.every(is);
  if (startTime !== undefined && differs(({ start }) => start === Date.parse(startTime))) names.push('startTime');
  if (endTime !== undefined && differs(({ end }) => end === Date.parse(endTime))) names.push('endTime');
  if (timezone !== undefined && differs((slot) => slot.timezone === timezone)) names.push('timezone');
  return names;
}

/** Missing values stay: those of the meeting, or, if only the zone changes, those by the rule of its series. */
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

function diffParticipants(
  row: MeetingRow,
  requested: readonly string[] | undefined,
  part: ScopedOccurrences | undefined,
): string[] | undefined {
  if (requested === undefined) return undefined;
  const ids = [...new Set([row.organizer_id, ...requested])];
  const present = part
    ? [part.series.participant_ids, ...part.members.flatMap(({ user_ids }) => (user_ids ? [user_ids] : []))]
    : [idsOf(row.participants)];
  const isSame = (current: readonly string[]) =>
    current.length === ids.length && isDeepStrictEqual(new Set(current), new Set(ids));
  return present.every(isSame) ? undefined : ids;
}

function diffRule(row: MeetingRow, body: Body): string[] {
  const names: string[] = [];
  if (body.isRecurring === true && row.series_id === null) names.push('isRecurring');
  const repeats = row.series_id !== null || body.isRecurring === true;
  if (!repeats) return names;
  if (body.recurringFrequency != null && body.recurringFrequency !== row.frequency) names.push('recurringFrequency');
  if (body.recurrence !== undefined && hasOtherRecurrence(row, body)) names.push('recurrence');
  if (body.recurringEndDate !== undefined && body.recurringEndDate !== row.last_day) names.push('recurringEndDate');
  return names;
}

/** Compares both as a series containing this meeting would store them. */
function hasOtherRecurrence(row: MeetingRow, body: Body): boolean {
  const changed = changedRule(row, body);
  if (!changed || row.frequency === null) return false;
  const day = localDay(ruleStart(row), row.series_timezone ?? row.timezone);
  const stored = normalizeRule({ frequency: row.frequency, ...(row.recurrence ?? DEFAULT_RECURRENCE) }, day);
  const { lastDay: _lastDay, ...rule } = changed;
  return !isDeepStrictEqual(normalizeRule(rule, day), stored);
}

function changedRule(row: MeetingRow, body: Body): RuleChange | undefined {
  const frequency = body.recurringFrequency ?? row.frequency;
  if (frequency === null) return undefined;
  const stored = frequency === row.frequency ? row.recurrence : null;
  return {
    frequency,
    ...(body.recurrence ?? stored ?? DEFAULT_RECURRENCE),
    lastDay: body.recurringEndDate === undefined ? row.last_day : body.recurringEndDate,
  };
}
