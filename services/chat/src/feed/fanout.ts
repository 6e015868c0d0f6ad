import { type EventDefinition, isEventDefinition, subjectOf } from '@atrium/proto-events/event';
import * as audit from '@atrium/proto-events/events/audit';
import * as auth from '@atrium/proto-events/events/auth';
import * as chat from '@atrium/proto-events/events/chat';
import * as documents from '@atrium/proto-events/events/documents';
import * as meetingClosing from '@atrium/proto-events/events/meeting-closing';
import * as meetings from '@atrium/proto-events/events/meetings';
import * as notifications from '@atrium/proto-events/events/notifications';
import * as projects from '@atrium/proto-events/events/projects';
import * as users from '@atrium/proto-events/events/users';
import type { z } from 'zod';
import type { LiveUpdate } from './audience.ts';
import {
  conversation,
  message,
  toParticipants,
  updatedForAffectedUsers,
  updatedForParticipants,
} from './chat-changes.ts';
import { accessChanged, document } from './document-changes.ts';
import {
  closedMeeting,
  contentChanged,
  firstOccurrence,
  meeting,
  otherOccurrences,
  reopenedMeeting,
  room,
  toAdmins,
} from './meeting-changes.ts';
import { project, task } from './project-changes.ts';
import { department, invitation, notification, session, user } from './user-changes.ts';

export type FanoutRow = {
  event: EventDefinition;
  toUpdate: (data: unknown) => LiveUpdate;
  toAdditionalUpdates: (data: unknown) => readonly LiveUpdate[];
};

function row<D extends EventDefinition>(
  event: D,
  toUpdate: (data: z.output<D['data']>) => LiveUpdate,
  toAdditionalUpdates: (data: z.output<D['data']>) => readonly LiveUpdate[] = () => [],
): FanoutRow {
  const parse = (data: unknown) => event.data.parse(data) as z.output<D['data']>;
  return {
    event,
    toUpdate: (data) => toUpdate(parse(data)),
    toAdditionalUpdates: (data) => toAdditionalUpdates(parse(data)),
  };
}

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
  row(meetingClosing.meetingContentChanged, contentChanged, toAdmins(contentChanged)),
  row(meetings.occurrencesChanged, firstOccurrence, otherOccurrences),
  row(meetingClosing.meetingClosed, closedMeeting, toAdmins(closedMeeting)),
  row(meetingClosing.meetingReopened, reopenedMeeting, toAdmins(reopenedMeeting)),
  row(meetings.roomChanged, room),
  row(documents.documentUploaded, document('created')),
  row(documents.documentUpdated, document('updated')),
  row(documents.documentShared, document('updated')),
  row(documents.documentDeleted, document('deleted')),
  row(documents.documentRestored, document('created')),
  row(documents.documentAccessChanged, accessChanged),
  row(chat.conversationCreated, conversation('created', toParticipants)),
  row(chat.conversationUpdated, updatedForParticipants, updatedForAffectedUsers),
  row(chat.conversationDeleted, conversation('deleted', toParticipants)),
  // Fallback for a `message:new` that is lost because the pod stopped between commit and emit.
  row(chat.messageSent, message('created')),
  row(chat.messageChanged, message('updated')),
  row(notifications.notificationChanged, notification),
];

export const NOT_FANNED_OUT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.values<unknown>(audit)
      .filter(isEventDefinition)
      .map((event) => [subjectOf(event), 'security records are read from the activity store']),
  ),
  [subjectOf(auth.accountRegistered)]: 'the users service publishes users.user.created in response',
  [subjectOf(auth.accountActivated)]: 'the users service publishes users.user.updated in response',
  [subjectOf(auth.passwordResetRequested)]: 'no screen shows who requested a link',
  [subjectOf(auth.passwordResetMade)]: 'no screen shows links that were created',
  [subjectOf(auth.deviceAdded)]: 'its session is published by auth.session.started, and the user gets an email',
  [subjectOf(auth.accountSecured)]: 'the sessions that end are published one by one',
  [subjectOf(meetings.feedCreated)]: 'its owner gets an email, and the browser that created the feed shows it',
  [subjectOf(auth.passwordChanged)]: 'the sessions that end are published one by one',
  [subjectOf(chat.attachmentSaved)]: 'the documents service publishes documents.document.uploaded in response',
  [subjectOf(documents.attachmentSettled)]:
    'completes the request that saves the file; a later failure is a notification',
  [subjectOf(chat.summaryPosted)]:
    'the message is published by chat.message.sent, and the meeting by meetings.content.changed',
  [subjectOf(meetingClosing.decisionMade)]:
    'its meeting is published by meetings.meeting.closed or meetings.content.changed',
  [subjectOf(projects.decisionResolved)]:
    'the task is published by projects.task.created, and its meeting by meetings.content.changed',
  [subjectOf(users.userDeparted)]: 'the user is published by users.user.updated or users.user.deleted',
  [subjectOf(projects.memberDeparted)]:
    'the project and its tasks are published by their own events; notifications publishes who is notified',
  [subjectOf(users.sessionsEnded)]: 'the sockets of the user are closed instead',
  [subjectOf(meetings.calendarAttached)]: 'only calendars need it, and the change itself has its own event',
  [subjectOf(meetings.meetingDue)]: 'the meeting does not change; the notifications service publishes the reminders',
  [subjectOf(notifications.meetingReplied)]:
    'the meetings service publishes meetings.meeting.responded, as for an RSVP in the app',
  [subjectOf(notifications.emailDelivered)]:
    'the auth service publishes auth.invitation.delivered for invitations; no screen lists other emails',
};
