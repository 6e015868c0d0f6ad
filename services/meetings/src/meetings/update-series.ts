import { meetingScheduled } from '@atrium/proto-events/events/meetings';
import { NO_MEETINGS, normalizeRule } from '@atrium/proto-events/recurrence';
import { invalidField } from '@atrium/service-kit/errors/app-error';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { attachCalendars, publishMeetingUpdated } from '../events/attach-calendars.ts';
import { buildSeriesCalendar, readSeriesCalendar } from '../events/calendar-object.ts';
import { publishGuestChanges } from '../events/change-events.ts';
import { diffIds, NO_PARTICIPANT_CHANGES, seriesEventData } from '../events/meeting-event-data.ts';
import { type MeetingRow, readMeeting, updateMeetingRows } from '../model/meeting-repository.ts';
import { readOccurrences, readSeriesRsvps, rereadOccurrences } from '../model/occurrence-repository.ts';
import { recordSeriesRsvpRequest, replaceParticipants } from '../model/participant-repository.ts';
import {
  findFirstOccurrenceId,
  findSeries,
  ruleOf,
  type SeriesRow,
  updateSeriesRow,
} from '../model/series-repository.ts';
import { localDay, localTime } from '../recurrence/local-time.ts';
import { alignFirst, moveFirst, type Pattern } from '../recurrence/recurrence.ts';
import { findStaleReminders, lockRemindedUsers } from '../reminders/stale-reminders.ts';
import type { MeetingPatch } from './meeting-patch.ts';
import { assertEndNotPast, assertKeepsWeekday, assertLastDay, assertStartsOnRule } from './meeting-rules.ts';
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
  const pattern = patternFor(series, { part, target, patch: change.patch });
  assertLastDay(pattern.lastDay, timing?.start ?? pattern.first, pattern.timezone);
  const durationMs = timing ? timing.end.getTime() - timing.start.getTime() : series.duration_ms;
  if (timing) await assertEndNotPast(tx, new Date(pattern.first.getTime() + durationMs), change.allowPast);
  return reschedulePart(tx, series, { ...change, target, part, pattern, durationMs });
}

type PatternParams = { part: SeriesPart; target: Target; patch: MeetingPatch };

/** A series moves as far as the edited meeting, which is on the new rule. */
function patternFor(series: SeriesRow, { part, target, patch: { timing, rule: ruleChange } }: PatternParams): Pattern {
  const from = target.original_start ?? target.starts_at;
  const to = timing?.start ?? from;
  const timezone = timing?.timezone ?? series.timezone;
  const { lastDay, ...change } = ruleChange ?? { ...ruleOf(series), lastDay: series.last_day };
  const rule = normalizeRule(change, localDay(to, timezone));
  if (timing) {
    assertStartsOnRule(rule, to, timezone);
    const days = { from: localDay(from, series.timezone), to: localDay(to, timezone) };
    assertKeepsWeekday(rule, series.recurrence, days);
  }
  const old = { ...ruleOf(series), first: part.pivot, timezone: series.timezone };
  const move = { from, to, newTimezone: timezone, newRule: rule };
  const moved = timing ? moveFirst(old, move) : localTime(part.pivot, timezone);
  const first = alignFirst({ ...rule, timezone }, { first: moved, anchor: to });
  if (!first) throw invalidField('recurrence', NO_MEETINGS);
  return { ...normalizeRule(rule, localDay(first, timezone)), lastDay, timezone, first };
}

/** For changes of texts and participants: it stays the same series for calendars, and the past stays unchanged. */
async function changeInPlace(tx: Queryable, series: SeriesRow, change: Change & { target: Target }) {
  const { target, patch, actorId, upcoming } = change;
  const calendarBefore = buildSeriesCalendar(series, upcoming);
  const reminded = await lockRemindedUsers(tx, { seriesId: series.id });
  const next = await changeTemplate(tx, series, patch);
  const openIds = upcoming.occurrences.filter(({ is_past }) => !is_past).map(({ id }) => id);
  await changeMembers(tx, openIds, patch);
  const representative = await readMeeting(tx, target.id);
  const after = await (patch.people
    ? readOccurrences(tx, next)
    : rereadOccurrences(tx, next, { before: upcoming, rsvpReset: false }));
  await publishMeetingUpdated(tx, {
    facts: {
      ...seriesEventData(next, representative),
      // Guests of single occurrences are in the calendar of the series, too.
      ...diffIds(series.participant_ids, patch.people),
      rsvpReset: false,
      changed: patch.changed,
      ...(await findStaleReminders(tx, reminded)),
    },
    calendars: { calendar: buildSeriesCalendar(next, after), calendarBefore },
    actorId,
  });
  const about = { aggregate: next.calendar_id, actorId };
  await publishGuestChanges(tx, { before: [series, upcoming.occurrences], after: [next, after.occurrences] }, about);
  return target.id;
}

type ReschedulePlan = Change & { target: Target; part: SeriesPart; pattern: Pattern; durationMs: number };

async function reschedulePart(tx: Queryable, series: SeriesRow, plan: ReschedulePlan): Promise<string> {
  const { part, patch, actorId, target, upcoming } = plan;
  const isSplit = part.head.length > 0;
  const calendarBefore = buildSeriesCalendar(series, upcoming);
  const reminded = await lockRemindedUsers(tx, { seriesId: series.id });
  const { ended, next } = isSplit ? await splitSeries(tx, series, part) : { ended: undefined, next: series };
  const template = await changeTemplate(tx, next, patch, { isCounted: !isSplit });
  const timeChanged = patch.timing !== undefined;
  const rsvpReset = timeChanged || ['recurringFrequency', 'recurrence'].some((field) => patch.changed.includes(field));
  const rsvps = rsvpReset ? new Map() : await readSeriesRsvps(tx, template);
  const from = target.original_start ?? target.starts_at;
  const moved = { from, to: patch.timing?.start ?? from };
  const remaining = await rescheduleSeries(tx, template, { ...plan, ...part, ...moved, timeChanged, rsvpReset, rsvps });
  const remains = remaining.includes(target.id);
  if (patch.timing && remains) await pinAmbiguousTime(tx, target.id, patch.timing);
  await changeMembers(tx, remaining, patch);
  if (rsvpReset) await recordSeriesRsvpRequest(tx, template.id);

  const rescheduled = await findSeries(tx, template.id);
  const representative = await readMeeting(tx, remains ? target.id : await findFirstOccurrenceId(tx, rescheduled.id));
  // A different end has other last dates, which determine the RSVPs to the whole series.
  const isKnown = !patch.people && (rsvpReset || !patch.rule);
  const after = await (isKnown
    ? rereadOccurrences(tx, rescheduled, { before: upcoming, rsvpReset })
    : readOccurrences(tx, rescheduled));
  const stale = await findStaleReminders(tx, reminded);
  const about = { aggregate: rescheduled.calendar_id, actorId };
  if (ended) {
    await publishMeetingUpdated(tx, {
      facts: {
        ...seriesEventData(ended, part.head.at(-1) ?? target),
        ...NO_PARTICIPANT_CHANGES,
        changed: ['recurringEndDate'],
        ...removedParticipants(part, series, rescheduled),
        ...stale,
      },
      calendars: { calendar: await readSeriesCalendar(tx, ended), calendarBefore },
      actorId,
    });
    const calendars = await attachCalendars(tx, { calendar: buildSeriesCalendar(rescheduled, after) }, about);
    await appendEvent(tx, {
      event: meetingScheduled,
      data: { ...seriesEventData(rescheduled, representative), ...calendars },
      ...about,
    });
  } else {
    await publishMeetingUpdated(tx, {
      facts: {
        ...seriesEventData(rescheduled, representative),
        ...diffIds(series.participant_ids, patch.people),
        rsvpReset,
        changed: patch.changed,
        ...stale,
      },
      calendars: { calendar: buildSeriesCalendar(rescheduled, after), calendarBefore },
      actorId,
    });
  }
  const { occurrences } = after;
  await publishGuestChanges(tx, { before: [series, upcoming.occurrences], after: [rescheduled, occurrences] }, about);
  return representative.id;
}

function removedParticipants({ pivot }: SeriesPart, before: SeriesRow, after: SeriesRow) {
  const personIds = before.participant_ids.filter((id) => !after.participant_ids.includes(id));
  return personIds.length === 0
    ? {}
    : { truncatedFor: { from: pivot.toISOString(), as: 'removed' as const, personIds } };
}

async function changeTemplate(
  tx: Queryable,
  series: SeriesRow,
  { details, people }: MeetingPatch,
  { isCounted } = { isCounted: true },
) {
  const changed = await updateSeriesRow(tx, series, {
    ...details,
    ...(people && { participant_ids: people }),
    sequence: series.sequence + (isCounted ? 1 : 0),
  });
  return details.room_id === undefined ? changed : findSeries(tx, series.id);
}

async function changeMembers(tx: Queryable, ids: readonly string[], { details, people }: MeetingPatch): Promise<void> {
  await updateMeetingRows(tx, ids, details);
  if (people) await replaceParticipants(tx, ids, people);
}
