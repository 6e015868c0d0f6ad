import type { updateMeetingBody } from '@atrium/proto-events/http/meetings';
import type { z } from 'zod';
import type { Details, Frequency, MeetingRow } from './meeting-repository.ts';

export type Body = z.output<typeof updateMeetingBody>;

/** When a meeting is to take place from now on. */
export type Timing = { start: Date; end: Date; timezone: string };

/** What a PATCH really changes about a meeting: what it repeats of the present is left out. */
export type Wanted = {
  details: Partial<Details>;
  records: { notes?: string; summary?: string };
  timing: Timing | undefined;
  people: string[] | undefined;
  /** Set when the meeting is to repeat otherwise, or to begin repeating. */
  rule: { frequency: Frequency; lastDay: string | null } | undefined;
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
} as const satisfies Record<string, keyof Details>;

const RECORDS = { notes: 'notes', summary: 'summary' } as const;

export function wantedChange(row: MeetingRow, body: Body): Wanted {
  const details = differing(row, body, FIELDS);
  const records = differing(row, body, RECORDS);
  const times = differingTimes(row, body);
  const people = differingPeople(row, body.participants);
  const rule = differingRule(row, body);
  return {
    details: details.change,
    records: records.change,
    timing: times.length > 0 ? timingOf(row, body) : undefined,
    people,
    rule: rule.length > 0 ? ruleOf(row, body) : undefined,
    changed: [...details.names, ...records.names, ...times, ...(people ? ['participants'] : []), ...rule],
  };
}

function differing<Column extends keyof MeetingRow>(row: MeetingRow, body: Body, fields: Record<string, Column>) {
  const given: Record<string, unknown> = body;
  const names = Object.keys(fields).filter((name) => {
    const column = fields[name];
    return column !== undefined && given[name] !== undefined && given[name] !== row[column];
  });
  const change = Object.fromEntries(names.map((name) => [fields[name], given[name]]));
  return { names, change: change as Partial<Pick<MeetingRow, Column>> };
}

function differingTimes(row: MeetingRow, { startTime, endTime, timezone }: Body): string[] {
  const names: string[] = [];
  if (startTime !== undefined && Date.parse(startTime) !== row.starts_at.getTime()) names.push('startTime');
  if (endTime !== undefined && Date.parse(endTime) !== row.ends_at.getTime()) names.push('endTime');
  if (timezone !== undefined && timezone !== row.timezone) names.push('timezone');
  return names;
}

const timingOf = (row: MeetingRow, body: Body): Timing => ({
  start: body.startTime === undefined ? row.starts_at : new Date(body.startTime),
  end: body.endTime === undefined ? row.ends_at : new Date(body.endTime),
  timezone: body.timezone ?? row.timezone,
});

/** The order of an invitation is not a difference. */
function differingPeople(row: MeetingRow, given: readonly string[] | undefined): string[] | undefined {
  if (given === undefined) return undefined;
  const wanted = [...new Set([row.organizer_id, ...given])];
  const present = new Set(row.participants.map(({ id }) => id));
  return wanted.length === present.size && wanted.every((id) => present.has(id)) ? undefined : wanted;
}

function differingRule(row: MeetingRow, body: Body): string[] {
  const names: string[] = [];
  if (body.isRecurring === true && row.series_id === null) names.push('isRecurring');
  const repeats = row.series_id !== null || body.isRecurring === true;
  if (!repeats) return names;
  if (body.recurringFrequency != null && body.recurringFrequency !== row.frequency) names.push('recurringFrequency');
  if (body.recurringEndDate !== undefined && body.recurringEndDate !== row.last_day) names.push('recurringEndDate');
  return names;
}

function ruleOf(row: MeetingRow, body: Body): Wanted['rule'] {
  const frequency = body.recurringFrequency ?? row.frequency;
  if (frequency === null) return undefined;
  return { frequency, lastDay: body.recurringEndDate === undefined ? row.last_day : body.recurringEndDate };
}
