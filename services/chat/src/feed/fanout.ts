import { type EventDefinition, isEventDefinition, subjectOf } from '@atrium/proto-events/event';
import * as audit from '@atrium/proto-events/events/audit';
import * as auth from '@atrium/proto-events/events/auth';
import * as chat from '@atrium/proto-events/events/chat';
import * as chatSummaries from '@atrium/proto-events/events/chat-summaries';
import * as documents from '@atrium/proto-events/events/documents';
import * as meetingClosing from '@atrium/proto-events/events/meeting-closing';
import * as meetingFeeds from '@atrium/proto-events/events/meeting-feeds';
import * as meetingReminders from '@atrium/proto-events/events/meeting-reminders';
import * as meetingRooms from '@atrium/proto-events/events/meeting-rooms';
import * as meetings from '@atrium/proto-events/events/meetings';
import * as notifications from '@atrium/proto-events/events/notifications';
import * as projectDecisions from '@atrium/proto-events/events/project-decisions';
import * as projects from '@atrium/proto-events/events/projects';
import * as users from '@atrium/proto-events/events/users';
import type { z } from 'zod';
import { byName, changedInside, changedOwn, conversation, message } from './change-mappers/chat-changes.ts';
import { document, readers } from './change-mappers/document-changes.ts';
import type { LiveUpdate } from './change-mappers/live-update.ts';
import {
  closed,
  firstOccurrence,
  meeting,
  otherOccurrences,
  recorded,
  reopened,
  room,
  toAdmins,
} from './change-mappers/meeting-changes.ts';
import { project, task } from './change-mappers/project-changes.ts';
import { department, invitation, notices, session, user } from './change-mappers/user-changes.ts';

/** One event and what browsers hear of it; `tellBesides` what other people hear of other things by the same event. */
export type FanoutRow = {
  event: EventDefinition;
  toUpdate: (data: unknown) => LiveUpdate;
  toAdditionalUpdates: (data: unknown) => readonly LiveUpdate[];
};

function row<D extends EventDefinition>(
  event: D,
  tell: (data: z.output<D['data']>) => LiveUpdate,
  tellBesides: (data: z.output<D['data']>) => readonly LiveUpdate[] = () => [],
): FanoutRow {
  const parse = (data: unknown) => event.data.parse(data) as z.output<D['data']>;
  return { event, toUpdate: (data) => tell(parse(data)), toAdditionalUpdates: (data) => tellBesides(parse(data)) };
}

/** One row for each event of all services: the whole answer to "who hears of it". */
export const FANOUT: readonly FanoutRow[] = [
  row(users.userCreated, user('created')),
  row(users.userUpdated, user('updated')),
  row(users.userDeleted, user('deleted')),
  row(users.departmentCreated, department('created')),
  row(users.departmentUpdated, department('updated')),
  row(users.departmentDeleted, department('deleted')),
  row(auth.invitationCreated, invitation('created')),
  row(auth.invitationDelivered, invitation('updated')),
  row(auth.invitationRevoked, invitation('deleted')),
  row(auth.sessionStarted, session('created')),
  row(auth.sessionRevoked, session('deleted')),
  row(projects.projectCreated, project('created')),
  row(projects.projectUpdated, project('updated')),
  row(projects.projectDeleted, project('deleted')),
  row(projects.taskCreated, task('created')),
  row(projects.taskUpdated, task('updated')),
  row(projects.taskCommented, (data) => task('updated')({ ...data, changed: ['comments'] })),
  row(projects.taskDeleted, task('deleted')),
  row(meetings.meetingScheduled, meeting('created'), toAdmins(meeting('created'))),
  row(meetings.meetingUpdated, meeting('updated'), toAdmins(meeting('updated'))),
  row(meetings.meetingResponded, meeting('updated'), toAdmins(meeting('updated'))),
  row(meetings.meetingCancelled, meeting('deleted'), toAdmins(meeting('deleted'))),
  row(meetingClosing.meetingRecorded, recorded, toAdmins(recorded)),
  row(meetings.occurrencesChanged, firstOccurrence, otherOccurrences),
  row(meetingClosing.meetingClosed, closed, toAdmins(closed)),
  row(meetingClosing.meetingReopened, reopened, toAdmins(reopened)),
  row(meetingRooms.roomChanged, room),
  row(documents.documentUploaded, document('created')),
  row(documents.documentUpdated, document('updated')),
  row(documents.documentShared, document('updated')),
  row(documents.documentDeleted, document('deleted')),
  row(documents.documentRestored, document('created')),
  row(documents.readersChanged, readers),
  row(chat.conversationCreated, conversation('created', byName)),
  row(chat.conversationUpdated, changedInside, changedOwn),
  row(chat.conversationDeleted, conversation('deleted', byName)),
  // The safety net below the sockets: whoever misses `message:new`, as a pod went between commit and emit, hears of the seq here.
  row(chat.messageSent, message('created')),
  row(chat.messageChanged, message('updated')),
  row(notifications.listChanged, notices),
];

/** Events that no browser needs, by subject, and why. */
export const NOT_FANNED_OUT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.values<unknown>(audit)
      .filter(isEventDefinition)
      .map((event) => [subjectOf(event), 'security records are read from the activity store']),
  ),
  [subjectOf(auth.accountRegistered)]: 'the users service answers it with users.user.created',
  [subjectOf(auth.accountActivated)]: 'the users service answers it with users.user.updated',
  [subjectOf(auth.passwordResetRequested)]: 'no screen shows who asked for a link',
  [subjectOf(auth.passwordResetMade)]: 'no screen shows links that were made',
  [subjectOf(auth.deviceAdded)]: 'its session is told by auth.session.started; the rest is a mail',
  [subjectOf(auth.accountSecured)]: 'the sessions that end are published one by one',
  [subjectOf(meetingFeeds.feedCreated)]: 'its owner gets an email, and the browser that created the feed shows it',
  [subjectOf(auth.passwordChanged)]: 'the sessions that it ended are told one by one',
  [subjectOf(chat.attachmentSaved)]: 'the documents service answers it with documents.document.uploaded',
  [subjectOf(documents.attachmentSettled)]:
    'answers the call that saves the file, and a later failure is a notification',
  [subjectOf(chatSummaries.summaryPosted)]:
    'browsers hear of the message by chat.message.sent, and of the meeting by meetings.meeting.recorded',
  [subjectOf(meetingClosing.decisionMade)]:
    'its meeting is told by meetings.meeting.closed or meetings.meeting.recorded',
  [subjectOf(projectDecisions.decisionAnswered)]:
    'the task is told by projects.task.created, and its meeting by meetings.meeting.recorded',
  [subjectOf(users.userDeparted)]: 'the user is published by users.user.updated or users.user.deleted',
  [subjectOf(projects.memberDeparted)]:
    'the project and its tasks are published by their own events; notifications publishes who is notified',
  [subjectOf(users.sessionsEnded)]: 'the sockets of that person are closed instead',
  [subjectOf(meetings.calendarAttached)]: 'a part of the calendars of an event that has a row of its own',
  [subjectOf(meetingReminders.meetingDue)]: 'it changes nothing of the meeting; notifications tells who is reminded',
  [subjectOf(notifications.meetingReplied)]:
    'the meetings service answers with meetings.meeting.responded, as if the person had answered in the app',
  [subjectOf(notifications.mailDelivered)]:
    'the auth service answers an invitation with auth.invitation.delivered; no screen lists other mails',
};
