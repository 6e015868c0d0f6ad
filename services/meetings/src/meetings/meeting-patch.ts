import { isDeepStrictEqual } from 'node:util';
import type { updateMeetingBody } from '@atrium/proto-events/http/meetings/meeting-fields';
import { DEFAULT_RECURRENCE, normalizeRule, type Rule } from '@atrium/proto-events/recurrence/rule';
import type { z } from 'zod';
import { type Details, idsOf, type MeetingRow } from '../model/meeting-repository.ts';
import { localDay } from '../recurrence/local-time.ts';
import type { ScopedOccurrences } from './series-part.ts';

export type Body = z.output<typeof updateMeetingBody>;

type Timing = { start: Date; end: Date; timezone: string };

export type RuleChange = Rule & { lastDay: string | null };

export type MeetingPatch = {
  details: Partial<Details>;
  notesAndSummary: { notes?: string; summary?: string };
  timing: Timing | undefined;
  participantIds: string[] | undefined;
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

const NOTES_AND_SUMMARY_FIELDS = { notes: 'notes', summary: 'summary' } as const;

/**
 * Converts a request body to the changes it makes. In a part of a series, a value counts as unchanged only if the
 * template and all meetings of the part already have it.
 */
export function toMeetingPatch(row: MeetingRow, body: Body, part?: ScopedOccurrences): MeetingPatch {
  const details = diffFields(part?.detailVariants ?? [row], body, FIELDS);
  const notesAndSummary = diffFields([row], body, NOTES_AND_SUMMARY_FIELDS);
  const times = diffTimes(part ? listSlots(row, part) : [toSlot(row)], body);
  const participantIds = diffParticipants(row, body.participants, part);
  const rule = diffRule(row, body);
  return {
    details: details.change,
    notesAndSummary: notesAndSummary.change,
    timing: times.length > 0 ? toTiming(row, body, part) : undefined,
    participantIds,
    rule: rule.length > 0 ? toNewRule(row, body) : undefined,
    changed: [
      ...details.names,
      ...notesAndSummary.names,
      ...times,
      ...(participantIds ? ['participants'] : []),
      ...rule,
    ],
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

const toSlot = (row: MeetingRow): TimeSlot => ({
  start: row.starts_at.getTime(),
  end: row.ends_at.getTime(),
  timezone: row.timezone,
});

function listSlots(row: MeetingRow, { series, affectedOccurrences }: ScopedOccurrences): TimeSlot[] {
  const start = getRuleStart(row).getTime();
  const ruleSlot = { start, end: start + series.duration_ms, timezone: series.timezone };
  const occurrenceSlots = affectedOccurrences.map(({ original_start, starts_at, ends_at, timezone }) => {
    const shiftMs = starts_at.getTime() - original_start.getTime();
    const durationMs = ends_at.getTime() - starts_at.getTime();
    return { start: start + shiftMs, end: start + shiftMs + durationMs, timezone };
  });
  return [ruleSlot, ...occurrenceSlots];
}

const getRuleStart = (row: MeetingRow) => row.original_start ?? row.starts_at;

function diffTimes(slots: readonly TimeSlot[], { startTime, endTime, timezone }: Body): string[] {
  const names: string[] = [];
  const differs = (matches: (slot: TimeSlot) => boolean) => !slots.every(matches);
  if (startTime !== undefined && differs(({ start }) => start === Date.parse(startTime))) names.push('startTime');
  if (endTime !== undefined && differs(({ end }) => end === Date.parse(endTime))) names.push('endTime');
  if (timezone !== undefined && differs((slot) => slot.timezone === timezone)) names.push('timezone');
  return names;
}

/** Keeps missing values: those of the meeting or, if only the zone of a series changes, those by its rule. */
function toTiming(row: MeetingRow, body: Body, part: ScopedOccurrences | undefined): Timing {
  const timezone = body.timezone ?? row.timezone;
  if (part && body.startTime === undefined && body.endTime === undefined) {
    const start = getRuleStart(row);
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
  const currentLists = part
    ? [part.series.participant_ids, ...part.affectedOccurrences.flatMap(({ user_ids }) => (user_ids ? [user_ids] : []))]
    : [idsOf(row.participants)];
  const isSame = (current: readonly string[]) =>
    current.length === ids.length && isDeepStrictEqual(new Set(current), new Set(ids));
  return currentLists.every(isSame) ? undefined : ids;
}

function diffRule(row: MeetingRow, body: Body): string[] {
  const names: string[] = [];
  if (body.isRecurring === true && row.series_id === null) names.push('isRecurring');
  const isRepeating = row.series_id !== null || body.isRecurring === true;
  if (!isRepeating) return names;
  if (body.recurringFrequency != null && body.recurringFrequency !== row.frequency) names.push('recurringFrequency');
  if (body.recurrence !== undefined && changesRecurrence(row, body)) names.push('recurrence');
  if (body.recurringEndDate !== undefined && body.recurringEndDate !== row.last_day) names.push('recurringEndDate');
  return names;
}

/** Compares both as a series containing this meeting would store them. */
function changesRecurrence(row: MeetingRow, body: Body): boolean {
  const newRule = toNewRule(row, body);
  if (!newRule || row.frequency === null) return false;
  const day = localDay(getRuleStart(row), row.series_timezone ?? row.timezone);
  const storedRule = normalizeRule({ frequency: row.frequency, ...(row.recurrence ?? DEFAULT_RECURRENCE) }, day);
  const { lastDay: _lastDay, ...rule } = newRule;
  return !isDeepStrictEqual(normalizeRule(rule, day), storedRule);
}

function toNewRule(row: MeetingRow, body: Body): RuleChange | undefined {
  const frequency = body.recurringFrequency ?? row.frequency;
  if (frequency === null) return undefined;
  const storedRecurrence = frequency === row.frequency ? row.recurrence : null;
  return {
    frequency,
    ...(body.recurrence ?? storedRecurrence ?? DEFAULT_RECURRENCE),
    lastDay: body.recurringEndDate === undefined ? row.last_day : body.recurringEndDate,
  };
}
