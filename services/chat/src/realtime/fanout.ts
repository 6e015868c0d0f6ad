import { type EventDefinition, isEventDefinition, subjectOf } from '@atrium/proto-events/event';
import * as audit from '@atrium/proto-events/events/audit';
import * as auth from '@atrium/proto-events/events/auth';
import * as chat from '@atrium/proto-events/events/chat';
import * as documents from '@atrium/proto-events/events/documents';
import * as meetings from '@atrium/proto-events/events/meetings';
import * as notifications from '@atrium/proto-events/events/notifications';
import * as projects from '@atrium/proto-events/events/projects';
import * as users from '@atrium/proto-events/events/users';
import type { Change } from '@atrium/proto-events/realtime';
import type { z } from 'zod';
import { ADMINS, conversationRoom, EVERYONE, userRoom } from './rooms.ts';

/** Who is told, and of what: one event may change several resources. */
export type Fanned = { rooms: string[]; changes: Change[] };

/** One event and what browsers hear of it. */
export type FanoutRow = { event: EventDefinition; fan: (data: unknown) => Fanned };

function row<D extends EventDefinition>(event: D, fan: (data: z.output<D['data']>) => Fanned): FanoutRow {
  return { event, fan: (data) => fan(event.data.parse(data) as z.output<D['data']>) };
}

type Action = Change['action'];

const project = (action: Action) => (data: { projectId: string; version?: number }) => ({
  rooms: [EVERYONE],
  changes: [{ resource: 'project' as const, id: data.projectId, action, version: data.version ?? 0 }],
});

/** What lists and cards show of people; the rest stands in their own profile and in user management. */
const SHOWN = new Set(
  'firstName lastName email phone location bio avatar role status invited department joinDate'.split(' '),
);
type UserFacts = { userId: string; version: number; changed?: string[] };

const user = (action: Action) => (data: UserFacts) => ({
  // A time zone that a browser names at its first sign-in is no reason for all others to ask for everything again.
  rooms: data.changed?.some((field) => SHOWN.has(field)) === false ? [userRoom(data.userId), ADMINS] : [EVERYONE],
  changes: [{ resource: 'user' as const, id: data.userId, action, version: data.version }],
});

const department = (action: Action) => (data: { departmentId: string; version: number }) => ({
  rooms: [EVERYONE],
  changes: [{ resource: 'department' as const, id: data.departmentId, action, version: data.version }],
});

const task = (action: Action) => (data: { taskId: string; version: number }) => ({
  rooms: [EVERYONE],
  changes: [{ resource: 'task' as const, id: data.taskId, action, version: data.version }],
});

/** Only administrators see invitations; they have no version, and a list of them is asked for again as a whole. */
const invitation = (action: Action) => (data: { invitationId: string }) => ({
  rooms: [ADMINS],
  changes: [{ resource: 'invitation' as const, id: data.invitationId, action, version: 0 }],
});

const session = (action: Action) => (data: { userId: string; sessionId: string }) => ({
  rooms: [userRoom(data.userId)],
  changes: [{ resource: 'session' as const, id: data.sessionId, action, version: 0 }],
});

type InvitedAlone = { aloneIds: string[] }[] | undefined;
type MeetingFacts = {
  meetingId: string;
  organizerId: string;
  participantIds: string[];
  version: number;
  removedIds?: string[];
  invitedAlone?: InvitedAlone;
  cancelledAlone?: InvitedAlone;
};

const meeting = (action: Action) => (data: MeetingFacts) => ({
  rooms: [...toUsers([data.organizerId, ...data.participantIds, ...(data.removedIds ?? []), ...alone(data)]), ADMINS],
  // Of several of a series it names one; browsers ask again for any that is open.
  changes: [{ resource: 'meeting' as const, id: data.meetingId, action, version: data.version }],
});

/** Who is invited to single meetings of a series only. */
const alone = ({ invitedAlone = [], cancelledAlone = [] }: MeetingFacts) =>
  [...invitedAlone, ...cancelledAlone].flatMap(({ aloneIds }) => aloneIds);

type DocumentFacts = {
  documentId: string;
  uploadedBy: string;
  audience: { everyone: boolean; userIds: string[] };
  version: number;
};

const document = (action: Action) => (data: DocumentFacts) => ({
  rooms: data.audience.everyone ? [EVERYONE] : [...toUsers([data.uploadedBy, ...data.audience.userIds]), ADMINS],
  changes: [{ resource: 'document' as const, id: data.documentId, action, version: data.version }],
});

type ConversationFacts = { conversationId: string; participantIds: string[]; version: number };

const conversation = (action: Action) => (data: ConversationFacts & { removedIds?: string[] }) => ({
  rooms: toUsers([...data.participantIds, ...(data.removedIds ?? [])]),
  changes: [{ resource: 'conversation' as const, id: data.conversationId, action, version: data.version }],
});

const message = (action: Action) => (data: { conversationId: string; seq: number }) => ({
  rooms: [conversationRoom(data.conversationId)],
  changes: [{ resource: 'message' as const, id: data.conversationId, action, version: data.seq }],
});

const toUsers = (ids: string[]) => [...new Set(ids)].map(userRoom);

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
  row(projects.taskCommented, task('updated')),
  row(projects.taskDeleted, task('deleted')),
  row(meetings.meetingScheduled, meeting('created')),
  row(meetings.meetingUpdated, meeting('updated')),
  row(meetings.meetingResponded, meeting('updated')),
  row(meetings.meetingCancelled, meeting('deleted')),
  row(documents.documentUploaded, document('created')),
  row(documents.documentUpdated, document('updated')),
  row(documents.documentShared, document('updated')),
  row(documents.documentDeleted, document('deleted')),
  row(chat.conversationCreated, conversation('created')),
  row(chat.conversationUpdated, conversation('updated')),
  row(chat.conversationDeleted, conversation('deleted')),
  // The safety net below the sockets: whoever misses `message:new`, as a pod went between commit and emit, hears of the seq here.
  row(chat.messageSent, message('created')),
  row(chat.messageChanged, message('updated')),
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
  [subjectOf(auth.passwordChanged)]: 'the sessions that it ended are told one by one',
  [subjectOf(users.sessionsEnded)]: 'the sockets of that person are closed instead',
  [subjectOf(notifications.mailDelivered)]:
    'the auth service answers an invitation with auth.invitation.delivered; no screen lists other mails',
};
