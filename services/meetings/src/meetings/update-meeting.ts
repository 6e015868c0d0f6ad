import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { awaitActiveUsers } from '@atrium/service-kit/directory/active-users';
import { requireProject } from '@atrium/service-kit/directory/project-directory';
import { AppError, assertVersion, invalidField } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { appendMeetingUpdated } from '../events/attach-calendars.ts';
import { readMeetingCalendar } from '../events/calendar-object.ts';
import { diffIds, meetingEventData } from '../events/meeting-event-data.ts';
import { toAgendaItems } from '../model/agenda-repository.ts';
import {
  effectiveVersion,
  idsOf,
  incrementSequence,
  lockMeetingWithSeries,
  type MeetingRow,
  readMeeting,
  updateMeetingRows,
} from '../model/meeting-repository.ts';
import { recordRsvpRequest, replaceParticipants, resetRsvps } from '../model/participant-repository.ts';
import { assertVisible, canEdit } from '../model/policy.ts';
import { presentMeeting } from '../model/present-meeting.ts';
import { toLastDay } from '../recurrence/local-time.ts';
import { findStaleReminders, lockRemindedUsers } from '../reminders/stale-reminders.ts';
import { assertRoomFree, type Booking, chooseRoom, lockRooms } from '../rooms/book-room.ts';
import { assertActivePresenters, updateAgenda } from './agenda.ts';
import { type Body, type MeetingPatch, toMeetingPatch } from './meeting-patch.ts';
import { assertActiveParticipants, assertDuration, assertEndNotPast, awaitProject } from './meeting-rules.ts';
import { readUpcomingPart, type Scope, type ScopedOccurrences } from './series-part.ts';
import { convertToSeries } from './start-series.ts';
import { updateSeries } from './update-series.ts';

type Request = { id: string; scope: Scope; body: Body };

/**
 * Changes a meeting or, with a scope, its series from there on or as a whole. Past meetings accept only notes and a
 * summary.
 */
export async function updateMeeting(
  deps: Deps,
  caller: Caller,
  { id, scope, body: request }: Request,
): Promise<Meeting> {
  const { db, directory, occurrenceGenerator } = deps;
  await Promise.all([
    awaitProject(deps.projects, request.project),
    awaitActiveUsers(directory, request.participants ?? []),
  ]);
  const updatedMeeting = await db.transaction(async (tx) => {
    const row = assertVisible(caller, await lockMeetingWithSeries(tx, id));
    if (!canEdit(caller)) throw new AppError('forbidden', 'Only Admin and Project Manager can edit meetings');
    const body = withLastDay(row, request);
    const present = () => presentMeeting(directory, caller, row);
    assertVersion(row, { version: effectiveVersion(row, body.version), label: 'this meeting', present });
    if (row.is_past) assertPastChangeAllowed(body);
    const part = await readUpcomingPart(tx, caller, { row, scope });
    const patch = toMeetingPatch(row, body, part);
    assertValidChange(deps, row, { scope, patch, body });
    assertActivePresenters(directory, body.agendaItems, toAgendaItems(row));
    if (row.is_closed && patch.timing) throw new AppError('conflict', 'A closed meeting cannot be moved');
    if (patch.timing) await assertEndNotPast(tx, patch.timing.end, deps.allowPast);
    if (patch.details.project_id) requireProject(deps.projects, patch.details.project_id);
    const canConflict = await lockRoomsFor(tx, caller, { row, patch });
    const actorId = caller.userId;
    const resultId = await writeChange(tx, row, { scope, patch, part, actorId, allowPast: deps.allowPast });
    await updateAgenda(tx, resultId, {
      before: row,
      input: body.agendaItems,
      scope,
      affectedMeetings: getAffectedMeetings(patch),
      actorId,
    });
    const after = await readMeeting(tx, resultId);
    if (canConflict) await assertRoomFree(tx, toBooking(after, { scope, patch }), after.timezone);
    return presentMeeting(directory, caller, after);
  });
  if (updatedMeeting.isRecurring) occurrenceGenerator.wake();
  return updatedMeeting;
}

/** Locks rooms before the first write. Returns whether the change can lead to a room conflict. */
async function lockRoomsFor(
  tx: Queryable,
  caller: Caller,
  { row, patch }: { row: MeetingRow; patch: MeetingPatch },
): Promise<boolean> {
  const { details, timing, rule } = patch;
  if (details.room_id === undefined && !timing && !rule) return false;
  const booked = row.series_id === null ? { meetingId: row.id } : { seriesId: row.series_id };
  await lockRooms(tx, booked, details.room_id);
  if (details.room_id) await chooseRoom(tx, caller, details.room_id);
  return true;
}

const toBooking = ({ id, series_id }: MeetingRow, { scope, patch }: Pick<Change, 'scope' | 'patch'>): Booking =>
  series_id === null || (scope === 'this' && !patch.rule) ? { meetingId: id } : { seriesId: series_id };

function withLastDay(row: MeetingRow, body: Body): Body {
  if (body.recurringEndDate === undefined) return body;
  return { ...body, recurringEndDate: toLastDay(body.recurringEndDate, body.timezone ?? row.timezone) };
}

const PAST_EDITABLE_FIELDS = new Set(['notes', 'summary', 'version']);

function assertPastChangeAllowed(body: Body): void {
  const hasOtherFields = Object.entries(body).some(
    ([field, value]) => value !== undefined && !PAST_EDITABLE_FIELDS.has(field),
  );
  if (hasOtherFields) throw new AppError('conflict', 'Only the notes and the summary of a past meeting can be changed');
}

type Change = { scope: Scope; patch: MeetingPatch };

function assertValidChange({ directory }: Deps, row: MeetingRow, { scope, patch, body }: Change & { body: Body }) {
  const { timing, participantIds, rule } = patch;
  if (timing) assertDuration(timing.start, timing.end);
  assertActiveParticipants(directory, diffIds(idsOf(row.participants), participantIds).addedIds);
  if (body.isRecurring && row.series_id === null && !rule) {
    throw invalidField('recurringFrequency', 'Frequency is required for recurring meetings');
  }
  if (body.isRecurring === false && row.series_id !== null) {
    throw invalidField('isRecurring', 'To end a series, set its end date or delete the meetings that follow');
  }
  if (rule && row.series_id !== null && scope === 'this') {
    throw invalidField(
      'recurringFrequency',
      'How a series repeats can only be changed for this and following meetings, or for all meetings',
    );
  }
}

type WriteChangeParams = Change & { part: ScopedOccurrences | undefined; actorId: string; allowPast: boolean };

/** Returns which meetings the change affects. Notes and summary belong to one meeting regardless of the scope. */
function getAffectedMeetings({ notesAndSummary, changed }: MeetingPatch): 'none' | 'one' | 'all' {
  if (changed.length === 0) return 'none';
  const onlyNotesOrSummary = changed.length === Object.keys(notesAndSummary).length;
  return onlyNotesOrSummary ? 'one' : 'all';
}

async function writeChange(tx: Queryable, row: MeetingRow, change: WriteChangeParams): Promise<string> {
  const { patch, scope, part } = change;
  const affectedMeetings = getAffectedMeetings(patch);
  if (affectedMeetings === 'none') return row.id;
  if (row.series_id !== null && scope !== 'this' && part && affectedMeetings === 'all') {
    if (Object.keys(patch.notesAndSummary).length > 0) await updateMeetingRows(tx, [row.id], patch.notesAndSummary);
    return updateSeries(tx, { ...row, series_id: row.series_id }, { ...change, scope, upcoming: part });
  }
  await updateSingleMeeting(tx, row, change);
  return row.id;
}

async function updateSingleMeeting(
  tx: Queryable,
  row: MeetingRow,
  { patch, actorId }: WriteChangeParams,
): Promise<void> {
  const { details, notesAndSummary, timing, participantIds, rule, changed } = patch;
  const calendarBefore = await readMeetingCalendar(tx, row);
  const remindedUsers = await lockRemindedUsers(tx, { meetingId: row.id });
  await updateMeetingRows(tx, [row.id], {
    ...details,
    ...notesAndSummary,
    ...(timing && { starts_at: timing.start, ends_at: timing.end, timezone: timing.timezone }),
  });
  if (participantIds) await replaceParticipants(tx, [row.id], participantIds);
  const isMoved = movesTime(row, patch);
  if (isMoved) await resetRsvps(tx, [row.id]);
  if (getAffectedMeetings(patch) === 'all') await incrementSequence(tx, row);
  if (isMoved) await recordRsvpRequest(tx, row.id);
  const after = await readMeeting(tx, row.id);
  const { eventData, calendar } = rule
    ? await convertToSeries(tx, after, rule)
    : { eventData: await meetingEventData(tx, after), calendar: await readMeetingCalendar(tx, after) };
  // An RSVP to one meeting does not apply to a series.
  const rsvpReset = isMoved || rule !== undefined;
  const staleReminders = await findStaleReminders(tx, remindedUsers);
  const previousIds = idsOf(row.participants);
  await appendMeetingUpdated(tx, {
    eventData: { ...eventData, ...diffIds(previousIds, participantIds), rsvpReset, changed, ...staleReminders },
    calendars: { calendar, calendarBefore },
    actorId,
  });
}

/** Whether the start or the end changes, which resets RSVPs. A change of time zone alone keeps both. */
const movesTime = (row: MeetingRow, { timing }: MeetingPatch) =>
  timing !== undefined &&
  (timing.start.getTime() !== row.starts_at.getTime() || timing.end.getTime() !== row.ends_at.getTime());
