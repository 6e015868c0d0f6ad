import { meetingScheduled } from '@atrium/proto-events/events/meetings';
import type { createMeetingBody, Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { normalizeRule, type Rule } from '@atrium/proto-events/recurrence/rule';
import { awaitActiveUsers } from '@atrium/service-kit/directory/active-users';
import { requireProject } from '@atrium/service-kit/directory/project-directory';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { readMeetingCalendar } from '../events/calendar-object.ts';
import { meetingEventData } from '../events/meeting-event-data.ts';
import { insertMeetings, readMeeting } from '../model/meeting-repository.ts';
import { canCreate } from '../model/policy.ts';
import { presentMeeting } from '../model/present-meeting.ts';
import { localDay, toLastDay } from '../recurrence/local-time.ts';
import { assertRoomFree, chooseRoom } from '../rooms/book-room.ts';
import { assertActivePresenters, createAgenda } from './agenda.ts';
import {
  assertActiveParticipants,
  assertLastDay,
  assertStartNotPast,
  assertStartsOnRule,
  awaitProject,
} from './meeting-rules.ts';
import { startSeries } from './start-series.ts';

type Body = z.output<typeof createMeetingBody>;

export async function createMeeting(
  { db, directory, projects, allowPast, occurrenceGenerator }: Deps,
  caller: Caller,
  { body, key }: { body: Body; key: IdempotencyKey | undefined },
): Promise<Meeting> {
  if (!canCreate(caller)) throw new AppError('forbidden', 'Only Admin and Project Manager can schedule meetings');
  const timezone = body.timezone ?? directory.user(caller.userId)?.timezone ?? 'UTC';
  await Promise.all([awaitProject(projects, body.project), awaitActiveUsers(directory, body.participants)]);
  const createdMeeting = await withIdempotencyKey(db, { caller, key }, async (tx) => {
    // Checked inside, since a retry receives the first response even if it would be rejected now.
    await assertStartNotPast(tx, new Date(body.startTime), allowPast);
    assertActiveParticipants(directory, body.participants);
    assertActivePresenters(directory, body.agendaItems);
    if (body.project) requireProject(projects, body.project);
    const lastDay = toLastDay(body.recurringEndDate, timezone);
    const rule = readRule(body, timezone);
    if (rule) {
      assertLastDay(lastDay, new Date(body.startTime), timezone);
      assertStartsOnRule(rule, new Date(body.startTime), timezone);
    }
    const room = body.room ? await chooseRoom(tx, caller, body.room) : undefined;
    const meeting = {
      ...buildMeeting(body, caller.userId, timezone),
      room_id: room?.id ?? null,
      room_name: room?.name ?? null,
    };
    const { id, eventData } = await insertMeetingOrSeries(tx, meeting, rule && { rule, lastDay });
    await createAgenda(tx, { id, seriesId: eventData.seriesId }, body.agendaItems);
    if (room)
      await assertRoomFree(
        tx,
        eventData.seriesId === null ? { meetingId: id } : { seriesId: eventData.seriesId },
        timezone,
      );
    await appendEvent(tx, {
      event: meetingScheduled,
      data: eventData,
      aggregate: eventData.calendarId,
      actorId: caller.userId,
    });
    return presentMeeting(directory, caller, await readMeeting(tx, id));
  });
  if (body.isRecurring) occurrenceGenerator.wake();
  return createdMeeting;
}

type NewMeeting = ReturnType<typeof buildMeeting> & { room_id: string | null; room_name: string | null };

function buildMeeting(body: Body, organizerId: string, timezone: string) {
  return {
    title: body.title,
    description: body.description,
    type: body.type,
    location: body.location,
    meeting_link: body.meetingLink,
    agenda: body.agenda,
    project_id: body.project,
    start: new Date(body.startTime),
    durationMs: Date.parse(body.endTime) - Date.parse(body.startTime),
    timezone,
    organizer_id: organizerId,
    participant_ids: withOrganizer(organizerId, body.participants),
  };
}

function readRule({ isRecurring, recurringFrequency, recurrence, startTime }: Body, timezone: string) {
  if (!isRecurring || recurringFrequency === null) return undefined;
  return normalizeRule({ frequency: recurringFrequency, ...recurrence }, localDay(new Date(startTime), timezone));
}

async function insertMeetingOrSeries(
  tx: Queryable,
  { start, ...meeting }: NewMeeting,
  series: { rule: Rule; lastDay: string | null } | undefined,
) {
  if (series) return startSeries(tx, { ...meeting, first: start, ...series });
  const id = newId();
  await insertMeetings(tx, { ...meeting, series_id: null, occurrences: [{ id, start }] });
  const row = await readMeeting(tx, id);
  return { id, eventData: { ...(await meetingEventData(tx, row)), calendar: await readMeetingCalendar(tx, row) } };
}

function withOrganizer(organizerId: string, ids: readonly string[]): string[] {
  return [...new Set([organizerId, ...ids])];
}
