import { type EventDefinition, isEventDefinition, subjectOf } from '@atrium/proto-events/event';
import * as audit from '@atrium/proto-events/events/audit';
import * as auth from '@atrium/proto-events/events/auth';
import * as chat from '@atrium/proto-events/events/chat';
import * as documents from '@atrium/proto-events/events/documents';
import * as meetings from '@atrium/proto-events/events/meetings';
import * as notifications from '@atrium/proto-events/events/notifications';
import * as projects from '@atrium/proto-events/events/projects';
import * as users from '@atrium/proto-events/events/users';
import type { Change, Topic } from '@atrium/proto-events/realtime';
import { LISTED_OF_PEOPLE, NAMING_FIELDS } from '@atrium/proto-events/topics';
import type { z } from 'zod';
import type { Audience } from './audience.ts';

/** What one event means to browsers. */
export type Told = { topics: readonly Topic[]; audience: Audience; changes: readonly Change[] };

/** One event and what browsers hear of it; `tellBesides` what other people hear of other things by the same event. */
export type FanoutRow = {
  event: EventDefinition;
  tell: (data: unknown) => Told;
  tellBesides: (data: unknown) => readonly Told[];
};

function row<D extends EventDefinition>(
  event: D,
  tell: (data: z.output<D['data']>) => Told,
  tellBesides: (data: z.output<D['data']>) => readonly Told[] = () => [],
): FanoutRow {
  const parse = (data: unknown) => event.data.parse(data) as z.output<D['data']>;
  return { event, tell: (data) => tell(parse(data)), tellBesides: (data) => tellBesides(parse(data)) };
}

type Action = Change['action'];

const andAdmins = (...users: string[]): Audience => ({ users: [...new Set(users)], admins: true });

/** Whether one of these fields changed, or nobody says which. */
const hasChanged = (changed: readonly string[] | undefined, fields: readonly string[]) =>
  changed?.some((field) => fields.includes(field)) !== false;

type ProjectFacts = { projectId: string; version?: number; changed?: string[]; status?: string };

const project =
  (action: Action) =>
  ({ projectId, version = 0, changed, status }: ProjectFacts): Told => ({
    topics: [
      'projects',
      `project:${projectId}`,
      ...(action !== 'created' && hasChanged(changed, NAMING_FIELDS.project) ? ['project-names' as const] : []),
    ],
    audience: 'everyone',
    changes: [
      { resource: 'project', id: projectId, action, version, ...(changed && { changed }), ...(status && { status }) },
    ],
  });

type UserFacts = { userId: string; version: number; changed?: string[] };

const user =
  (action: Action) =>
  ({ userId, version, changed }: UserFacts): Told => ({
    topics: [
      `person:${userId}`,
      // A time zone that a browser names at its first sign-in is no reason for all others to ask for everything again.
      ...(hasChanged(changed, LISTED_OF_PEOPLE) ? ['people' as const] : []),
      // Who is new stands nowhere under their name yet.
      ...(action !== 'created' && hasChanged(changed, NAMING_FIELDS.user) ? ['names' as const] : []),
    ],
    audience: 'everyone',
    changes: [{ resource: 'user', id: userId, action, version, ...(changed && { changed }) }],
  });

const department =
  (action: Action) =>
  ({ departmentId: id, version, changed }: { departmentId: string; version: number; changed?: string[] }): Told => ({
    topics: ['departments', 'people', ...(action === 'created' ? [] : ['names' as const])],
    audience: 'everyone',
    changes: [{ resource: 'department', id, action, version, ...(changed && { changed }) }],
  });

type TaskFacts = { taskId: string; projectId: string; version: number; changed?: string[]; status?: string };

const task =
  (action: Action) =>
  (data: TaskFacts): Told => ({
    topics: [`project:${data.projectId}`, `task:${data.taskId}`],
    audience: 'everyone',
    changes: [
      {
        resource: 'task',
        id: data.taskId,
        action,
        version: data.version,
        scope: { project: data.projectId },
        ...(data.changed && { changed: data.changed }),
        ...(data.status && { status: data.status }),
      },
    ],
  });

/** Only administrators see invitations; they have no version, and a list of them is asked for again as a whole. */
const invitation =
  (action: Action) =>
  (data: { invitationId: string }): Told => ({
    topics: ['invitations'],
    audience: andAdmins(),
    changes: [{ resource: 'invitation', id: data.invitationId, action, version: 0 }],
  });

const session =
  (action: Action) =>
  (data: { userId: string; sessionId: string }): Told => ({
    topics: ['sessions'],
    audience: { users: [data.userId] },
    changes: [{ resource: 'session', id: data.sessionId, action, version: 0 }],
  });

type InvitedAlone = { meetingId: string; aloneIds: string[] }[] | undefined;
type MeetingFacts = {
  meetingId: string;
  organizerId: string;
  participantIds: string[];
  version: number;
  removedIds?: string[];
};

const meeting =
  (action: Action) =>
  (data: MeetingFacts): Told => ({
    topics: ['meetings'],
    audience: andAdmins(data.organizerId, ...data.participantIds, ...(data.removedIds ?? [])),
    // Of several of a series it names one; browsers ask again for any that is open.
    changes: [{ resource: 'meeting', id: data.meetingId, action, version: data.version }],
  });

/** Who is invited to single meetings of a series only hears of those, and of no other of it. */
const alone = ({
  invitedAlone = [],
  cancelledAlone = [],
}: {
  invitedAlone?: InvitedAlone;
  cancelledAlone?: InvitedAlone;
}) =>
  [...invitedAlone, ...cancelledAlone].map(
    ({ meetingId: id, aloneIds }): Told => ({
      topics: ['meetings'],
      audience: { users: aloneIds },
      changes: [{ resource: 'meeting', id, action: 'updated', version: 0 }],
    }),
  );

type DocumentFacts = {
  documentId: string;
  uploadedBy: string;
  audience: { everyone: boolean; userIds: string[] };
  version: number;
  changed?: string[];
};

const document =
  (action: Action) =>
  (data: DocumentFacts): Told => ({
    topics: ['documents'],
    audience: data.audience.everyone ? 'everyone' : andAdmins(data.uploadedBy, ...data.audience.userIds),
    changes: [
      {
        resource: 'document',
        id: data.documentId,
        action,
        version: data.version,
        ...(data.changed && { changed: data.changed }),
      },
    ],
  });

type ConversationFacts = { conversationId: string; version: number };

const conversation =
  <Facts extends ConversationFacts>(action: Action, audienceOf: (data: Facts) => Audience) =>
  (data: Facts): Told => ({
    topics: ['conversations'],
    audience: audienceOf(data),
    changes: [{ resource: 'conversation', id: data.conversationId, action, version: data.version }],
  });

type PeopleOf = ConversationFacts & { participantIds: string[] };
/** Whose sockets are not in its room yet, or no longer. */
const byName = ({ participantIds: users }: PeopleOf): Audience => ({ users });

type PeopleChanged = ConversationFacts & { addedIds: string[]; removedIds: string[] };
/** However many take part, without a list of them. */
const inside = ({ conversationId, addedIds, removedIds }: PeopleChanged): Audience => ({
  conversation: conversationId,
  users: [...addedIds, ...removedIds],
});

const message =
  (action: Action) =>
  (data: { conversationId: string; seq: number }): Told => ({
    // Unread is counted on every screen.
    topics: [],
    audience: { conversation: data.conversationId, users: [] },
    changes: [{ resource: 'message', id: data.conversationId, action, version: data.seq }],
  });

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
  row(meetings.meetingScheduled, meeting('created'), alone),
  row(meetings.meetingUpdated, meeting('updated'), alone),
  row(meetings.meetingResponded, meeting('updated')),
  row(meetings.meetingCancelled, meeting('deleted')),
  row(documents.documentUploaded, document('created')),
  row(documents.documentUpdated, document('updated')),
  row(documents.documentShared, document('updated')),
  row(documents.documentDeleted, document('deleted')),
  row(documents.documentRestored, document('created')),
  row(chat.conversationCreated, conversation('created', byName)),
  row(chat.conversationUpdated, conversation('updated', inside)),
  row(chat.conversationDeleted, conversation('deleted', byName)),
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
