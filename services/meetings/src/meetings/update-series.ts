import { meetingScheduled } from '@atrium/proto-events/events/meetings';
import { NO_MEETINGS, normalizeRule } from '@atrium/proto-events/recurrence/rule';
import { invalidField } from '@atrium/service-kit/errors/app-error';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { appendGuestChanges } from '../events/append-meeting-events.ts';
import { appendMeetingUpdated, attachCalendars } from '../events/attach-calendars.ts';
import { buildSeriesCalendar, readSeriesCalendar } from '../events/calendar-object.ts';
import { diffIds, NO_PARTICIPANT_CHANGES, seriesEventData } from '../events/meeting-event-data.ts';
import { type MeetingRow, readMeeting, updateMeetingRows } from '../model/meeting-repository.ts';
import { readOccurrences, readSeriesRsvps, rereadOccurrences } from '../model/occurrence-repository.ts';
import { recordSeriesRsvpRequest, replaceParticipants } from '../model/participant-repository.ts';
import {
  findFirstOccurrenceId,
  findSeries,
  getRule,
  type SeriesRow,
  updateSeriesRow,
} from '../model/series-repository.ts';
import { localDay, localTime } from '../recurrence/local-time.ts';
import { alignFirst, moveFirst, type Pattern } from '../recurrence/recurrence.ts';
import { findStaleReminders, lockRemindedUsers } from '../reminders/stale-reminders.ts';
import type { MeetingPatch } from './meeting-patch.ts';
import { assertEndNotPast, assertLastDay, assertStartsOnRule, assertWeekdayKept } from './meeting-rules.ts';
import { pinAmbiguousTime, rescheduleSeries } from './reschedule-series.ts';
import { type ScopedOccurrences, type SeriesPart, splitSeries, toSeriesPart } from './series-part.ts';

type Target = MeetingRow & { series_id: string };
type Change = {
  scope: 'following' | 'all';
  patch: MeetingPatch;
  upcoming: ScopedOccurrences;
  actorId: string;
  allowPast: boolean;
};

export async function updateSeries(tx: Queryable, target: Target, change: Change): Promise<string> {
  const { patch, upcoming } = change;
  const { series, occurrences } = upcoming;
  const { timing, rule } = patch;
  if (change.scope === 'all' && !timing && !rule) return changeInPlace(tx, series, { ...change, target });
  const from = target.original_start ?? target.starts_at;
  const part = toSeriesPart(occurrences, { from, scope: change.scope });
  const pattern = buildPattern(series, { part, target, patch: change.patch });
  assertLastDay(pattern.lastDay, timing?.start ?? pattern.first, pattern.timezone);
  const durationMs = timing ? timing.end.getTime() - timing.start.getTime() : series.duration_ms;
  if (timing) await assertEndNotPast(tx, new Date(pattern.first.getTime() + durationMs), change.allowPast);
  return reschedulePart(tx, series, { ...change, target, part, pattern, durationMs });
}

type PatternParams = { part: SeriesPart; target: Target; patch: MeetingPatch };

/** Builds the new pattern. A series moves as far as the edited meeting, whose new start is on the new rule. */
function buildPattern(
  series: SeriesRow,
  { part, target, patch: { timing, rule: ruleChange } }: PatternParams,
): Pattern {
  const from = target.original_start ?? target.starts_at;
  const to = timing?.start ?? from;
  const timezone = timing?.timezone ?? series.timezone;
  const { lastDay, ...change } = ruleChange ?? { ...getRule(series), lastDay: series.last_day };
  const rule = normalizeRule(change, localDay(to, timezone));
  if (timing) {
    assertStartsOnRule(rule, to, timezone);
    const days = { from: localDay(from, series.timezone), to: localDay(to, timezone) };
    assertWeekdayKept(rule, series.recurrence, days);
  }
  const oldPattern = { ...getRule(series), first: part.pivot, timezone: series.timezone };
  const move = { from, to, newTimezone: timezone, newRule: rule };
  const movedStart = timing ? moveFirst(oldPattern, move) : localTime(part.pivot, timezone);
  const first = alignFirst({ ...rule, timezone }, { first: movedStart, anchor: to });
  if (!first) throw invalidField('recurrence', NO_MEETINGS);
  return { ...normalizeRule(rule, localDay(first, timezone)), lastDay, timezone, first };
}

/** Changes texts and participants. It stays the same series for calendars, and the past stays unchanged. */
async function changeInPlace(tx: Queryable, series: SeriesRow, change: Change & { target: Target }) {
  const { target, patch, actorId, upcoming } = change;
  const calendarBefore = buildSeriesCalendar(series, upcoming);
  const remindedUsers = await lockRemindedUsers(tx, { seriesId: series.id });
  const updatedSeries = await changeTemplate(tx, series, patch);
  const openIds = upcoming.occurrences.filter(({ is_past }) => !is_past).map(({ id }) => id);
  await changeMembers(tx, openIds, patch);
  const representative = await readMeeting(tx, target.id);
  const after = await (patch.participantIds
    ? readOccurrences(tx, updatedSeries)
    : rereadOccurrences(tx, updatedSeries, { before: upcoming, rsvpReset: false }));
  await appendMeetingUpdated(tx, {
    eventData: {
      ...seriesEventData(updatedSeries, representative),
      // The calendar of the series also contains guests of single occurrences.
      ...diffIds(series.participant_ids, patch.participantIds),
      rsvpReset: false,
      changed: patch.changed,
      ...(await findStaleReminders(tx, remindedUsers)),
    },
    calendars: { calendar: buildSeriesCalendar(updatedSeries, after), calendarBefore },
    actorId,
  });
  const context = { aggregate: updatedSeries.calendar_id, actorId };
  const guestChanges = { before: [series, upcoming.occurrences], after: [updatedSeries, after.occurrences] } as const;
  await appendGuestChanges(tx, guestChanges, context);
  return target.id;
}

type ReschedulePlan = Change & { target: Target; part: SeriesPart; pattern: Pattern; durationMs: number };

async function reschedulePart(tx: Queryable, series: SeriesRow, plan: ReschedulePlan): Promise<string> {
  const { part, patch, actorId, target, upcoming } = plan;
  const isSplit = part.earlierOccurrences.length > 0;
  const calendarBefore = buildSeriesCalendar(series, upcoming);
  const remindedUsers = await lockRemindedUsers(tx, { seriesId: series.id });
  const { endedSeries, nextSeries } = isSplit
    ? await splitSeries(tx, series, part)
    : { endedSeries: undefined, nextSeries: series };
  const template = await changeTemplate(tx, nextSeries, patch, { isCounted: !isSplit });
  const timeChanged = patch.timing !== undefined;
  const rsvpReset = timeChanged || ['recurringFrequency', 'recurrence'].some((field) => patch.changed.includes(field));
  const rsvps = rsvpReset ? new Map() : await readSeriesRsvps(tx, template);
  const from = target.original_start ?? target.starts_at;
  const move = { from, to: patch.timing?.start ?? from };
  const remainingIds = await rescheduleSeries(tx, template, {
    ...plan,
    ...part,
    ...move,
    timeChanged,
    rsvpReset,
    rsvps,
  });
  const targetRemains = remainingIds.includes(target.id);
  if (patch.timing && targetRemains) await pinAmbiguousTime(tx, target.id, patch.timing);
  await changeMembers(tx, remainingIds, patch);
  if (rsvpReset) await recordSeriesRsvpRequest(tx, template.id);

  const rescheduledSeries = await findSeries(tx, template.id);
  const representativeId = targetRemains ? target.id : await findFirstOccurrenceId(tx, rescheduledSeries.id);
  const representative = await readMeeting(tx, representativeId);
  // With a different end, other last occurrences determine the RSVPs to the whole series.
  const canReuseParticipants = !patch.participantIds && (rsvpReset || !patch.rule);
  const after = await (canReuseParticipants
    ? rereadOccurrences(tx, rescheduledSeries, { before: upcoming, rsvpReset })
    : readOccurrences(tx, rescheduledSeries));
  const staleReminders = await findStaleReminders(tx, remindedUsers);
  const context = { aggregate: rescheduledSeries.calendar_id, actorId };
  if (endedSeries) {
    await appendMeetingUpdated(tx, {
      eventData: {
        ...seriesEventData(endedSeries, part.earlierOccurrences.at(-1) ?? target),
        ...NO_PARTICIPANT_CHANGES,
        changed: ['recurringEndDate'],
        ...describeRemovedParticipants(part, series, rescheduledSeries),
        ...staleReminders,
      },
      calendars: { calendar: await readSeriesCalendar(tx, endedSeries), calendarBefore },
      actorId,
    });
    const calendars = await attachCalendars(tx, { calendar: buildSeriesCalendar(rescheduledSeries, after) }, context);
    await appendEvent(tx, {
      event: meetingScheduled,
      data: { ...seriesEventData(rescheduledSeries, representative), ...calendars },
      ...context,
    });
  } else {
    await appendMeetingUpdated(tx, {
      eventData: {
        ...seriesEventData(rescheduledSeries, representative),
        ...diffIds(series.participant_ids, patch.participantIds),
        rsvpReset,
        changed: patch.changed,
        ...staleReminders,
      },
      calendars: { calendar: buildSeriesCalendar(rescheduledSeries, after), calendarBefore },
      actorId,
    });
  }
  const { occurrences } = after;
  const guestChanges = { before: [series, upcoming.occurrences], after: [rescheduledSeries, occurrences] } as const;
  await appendGuestChanges(tx, guestChanges, context);
  return representative.id;
}

function describeRemovedParticipants({ pivot }: SeriesPart, before: SeriesRow, after: SeriesRow) {
  const personIds = before.participant_ids.filter((id) => !after.participant_ids.includes(id));
  return personIds.length === 0
    ? {}
    : { truncatedFor: { from: pivot.toISOString(), as: 'removed' as const, personIds } };
}

async function changeTemplate(
  tx: Queryable,
  series: SeriesRow,
  { details, participantIds }: MeetingPatch,
  { isCounted } = { isCounted: true },
) {
  const template = await updateSeriesRow(tx, series, {
    ...details,
    ...(participantIds && { participant_ids: participantIds }),
    sequence: series.sequence + (isCounted ? 1 : 0),
  });
  return details.room_id === undefined ? template : findSeries(tx, series.id);
}

async function changeMembers(
  tx: Queryable,
  ids: readonly string[],
  { details, participantIds }: MeetingPatch,
): Promise<void> {
  await updateMeetingRows(tx, ids, details);
  if (participantIds) await replaceParticipants(tx, ids, participantIds);
}
