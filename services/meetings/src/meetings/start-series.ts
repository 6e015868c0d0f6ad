import { normalizeRule, type Rule } from '@atrium/proto-events/recurrence/rule';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildNewSeriesCalendar, readSeriesCalendar } from '../events/calendar-object.ts';
import { seriesEventData } from '../events/meeting-event-data.ts';
import { copyAgenda } from '../model/agenda-repository.ts';
import { type Details, idsOf, type MeetingRow, readMeeting } from '../model/meeting-repository.ts';
import { readOccurrences } from '../model/occurrence-repository.ts';
import { recordSeriesRsvpRequest } from '../model/participant-repository.ts';
import {
  assignFirstMeeting,
  findSeries,
  insertSeries,
  type SeriesRow,
  toRuleColumns,
} from '../model/series-repository.ts';
import { localDay, toWallClock } from '../recurrence/local-time.ts';
import { fillSeries, getFillHorizon, getInitialBatchSize } from './fill-series.ts';
import type { RuleChange } from './meeting-patch.ts';
import { assertLastDay, assertStartsOnRule } from './meeting-rules.ts';
import { pinAmbiguousTime, rescheduleSeries } from './reschedule-series.ts';

type NewSeries = Details & {
  rule: Rule;
  first: Date;
  durationMs: number;
  timezone: string;
  lastDay: string | null;
  organizer_id: string;
  participant_ids: string[];
};

export async function startSeries(tx: Queryable, params: NewSeries) {
  const series = buildSeries(params);
  await insertSeries(tx, series);
  const id = await fillSeries(tx, series, { until: getFillHorizon(params), max: getInitialBatchSize(series) });
  if (id === undefined) throw new Error('Series has no occurrence after its first batch');
  const { first: start, timezone, durationMs } = params;
  const isMoved = await pinAmbiguousTime(tx, id, { start, end: new Date(start.getTime() + durationMs), timezone });
  const calendar = isMoved ? await readSeriesCalendar(tx, series) : buildNewSeriesCalendar(series);
  return { id, eventData: { ...seriesEventData(series, { id, version: 1 }), calendar } };
}

function buildSeries({ rule, first, durationMs, lastDay, ...template }: NewSeries): SeriesRow {
  const id = newId();
  return {
    ...template,
    ...toRuleColumns(rule),
    id,
    calendar_id: id,
    sequence: 0,
    first_start: toWallClock(first, template.timezone),
    duration_ms: durationMs,
    last_day: lastDay,
    excluded: [],
    filled_until: null,
    complete: false,
  };
}

/** Makes a meeting the first of a series, which keeps the calendar id of the meeting. */
export async function convertToSeries(tx: Queryable, row: MeetingRow, { lastDay, ...change }: RuleChange) {
  const rule = normalizeRule(change, localDay(row.starts_at, row.timezone));
  assertLastDay(lastDay, row.starts_at, row.timezone);
  assertStartsOnRule(rule, row.starts_at, row.timezone);
  const durationMs = row.ends_at.getTime() - row.starts_at.getTime();
  const participant_ids = idsOf(row.participants);
  const series = {
    ...buildSeries({ ...row, participant_ids, rule, first: row.starts_at, lastDay, durationMs }),
    calendar_id: row.id,
    sequence: row.sequence,
  };
  await insertSeries(tx, series);
  await recordSeriesRsvpRequest(tx, series.id);
  await copyAgenda(tx, { meetingId: row.id }, series.id);
  await assignFirstMeeting(tx, row.id, series);
  await rescheduleSeries(tx, series, {
    from: series.first_start,
    to: series.first_start,
    affectedOccurrences: (await readOccurrences(tx, series)).occurrences,
    pattern: { ...rule, first: series.first_start, timezone: row.timezone, lastDay },
    durationMs,
    timeChanged: false,
    rsvpReset: false,
    // An RSVP to one meeting does not apply to a series.
    rsvps: new Map(),
  });
  const createdSeries = await findSeries(tx, series.id);
  const eventData = seriesEventData(createdSeries, await readMeeting(tx, row.id));
  return { eventData, calendar: await readSeriesCalendar(tx, createdSeries) };
}
