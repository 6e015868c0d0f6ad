import { randomBytes } from 'node:crypto';
import type { EventOf } from '@atrium/proto-events/event';
import type { invitationCreated, passwordResetRequested } from '@atrium/proto-events/events/auth';
import type { meetingScheduled } from '@atrium/proto-events/events/meetings';
import type { projectCreated } from '@atrium/proto-events/events/projects';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import { startService } from '@atrium/service-kit/service/start-service';
import { testMailbox, testMongo } from '@atrium/test-kit/backing-servers';
import { buildUser } from '@atrium/test-kit/build-user';
import { startTestService } from '@atrium/test-kit/start-test-service';
import { CompactEncrypt } from 'jose';
import type { z } from 'zod';
import { notificationsService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

/** Years from now, so that no link has expired and no meeting is over when the tests run. */
const LINK_EXPIRES_AT = '2083-01-02T10:00:00.000Z';
const MEETING_TIMES = { startTime: '2083-03-22T08:00:00.000Z', endTime: '2083-03-22T09:00:00.000Z' };

const KEY = new Uint8Array(randomBytes(32));
export const encodeKey = (key: Uint8Array) => Buffer.from(key).toString('base64url');

/** A user with a unique address, because all tests share the mailbox. */
export const buildUniqueUser = (overrides: Partial<DirectoryUser> = {}) =>
  buildUser({ email: `${newId()}@example.org`, ...overrides });

/** Limits the attempts to handle an event before it becomes a dead letter. */
const withMaxAttempts = (attempts: number): typeof notificationsService => ({
  ...notificationsService,
  create: async (context) => {
    const { subscriptions = [], ...parts } = await notificationsService.create(context);
    return { ...parts, subscriptions: subscriptions.map((subscription) => ({ ...subscription, attempts })) };
  },
});

/** Starts the service on its own MongoDB database, with four users in the directory. */
export async function startNotifications(
  extraEnv: Record<string, string> = {},
  { attempts }: { attempts?: number } = {},
) {
  const [mongo, mailbox] = await Promise.all([testMongo('notifications'), testMailbox()]);
  const serviceDefinition = attempts === undefined ? notificationsService : withMaxAttempts(attempts);
  const service = await startTestService(
    'notifications',
    (env, overrides) => startService(serviceDefinition, readConfig(env), overrides),
    {
      MONGO_URL: mongo,
      SMTP_URL: mailbox.smtpUrl,
      PUBLIC_URL: 'https://atrium.example.org',
      WORKSPACE_NAME: 'Northwind',
      LINK_SEALING_KEY: encodeKey(KEY),
      ...extraEnv,
    },
  );
  const users = {
    admin: buildUniqueUser({ role: 'admin', firstName: 'Ada', lastName: 'Admin' }),
    manager: buildUniqueUser({ role: 'project_manager', firstName: 'Paul', lastName: 'Manager' }),
    member: buildUniqueUser({ firstName: 'Mia', lastName: 'Member' }),
    other: buildUniqueUser({ firstName: 'Otto', lastName: 'Other' }),
  };
  service.addToDirectory(...Object.values(users));
  return { service, users };
}

export type TestUsers = Awaited<ReturnType<typeof startNotifications>>['users'];

/** Seals a link like the auth service. */
export function sealLink(link: string, key = KEY): Promise<string> {
  const sealed = new CompactEncrypt(new TextEncoder().encode(link));
  return sealed.setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key);
}

type Invitation = EventOf<typeof invitationCreated>['data'];

export async function buildInvitation(invitedBy: string, overrides: Partial<Invitation> = {}): Promise<Invitation> {
  return {
    userId: newId(),
    email: `${newId()}@example.org`,
    firstName: 'Ines',
    lastName: 'Invited',
    role: 'member',
    invitationId: newId(),
    departmentId: null,
    invitedBy,
    expiresAt: LINK_EXPIRES_AT,
    sealedUrl: await sealLink('https://atrium.example.org/accept-invite?token=abc123'),
    ...overrides,
  };
}

type Reset = EventOf<typeof passwordResetRequested>['data'];

export async function buildPasswordReset({ _id, email }: Pick<DirectoryUser, '_id' | 'email'>): Promise<Reset> {
  return {
    resetId: newId(),
    userId: _id,
    email,
    expiresAt: LINK_EXPIRES_AT,
    sealedUrl: await sealLink('https://atrium.example.org/reset-password?token=xyz789'),
  };
}

type Project = z.input<(typeof projectCreated)['data']>;

export function buildProject(users: TestUsers, overrides: Partial<Project> = {}): Project {
  return {
    projectId: newId(),
    name: 'Customer portal',
    status: 'not-started',
    managerId: users.manager._id,
    memberIds: [users.member._id],
    version: 1,
    createdBy: users.admin._id,
    ...overrides,
  };
}

type MeetingFields = Omit<z.input<(typeof meetingScheduled)['data']>, 'calendar' | 'calendarParts'>;

export function buildMeeting(users: TestUsers, overrides: Partial<MeetingFields> = {}): MeetingFields {
  const meetingId = newId();
  return {
    meetingId,
    seriesId: null,
    calendarId: meetingId,
    sequence: 0,
    recurrenceId: null,
    title: 'Weekly planning',
    description: 'What is next',
    agenda: '',
    location: 'Room 4',
    meetingLink: 'https://meet.example.org/weekly',
    ...MEETING_TIMES,
    timezone: 'Europe/Berlin',
    recurrence: null,
    organizerId: users.manager._id,
    participantIds: [users.member._id],
    version: 1,
    ...overrides,
  };
}

type Rsvp = { userId: string; status: 'accepted' | 'declined' | 'tentative' };

/** The calendar of a meeting, or of a series without exceptions. */
export function buildCalendar(meeting: MeetingFields, answers: Rsvp[] = []) {
  const { startTime, endTime, timezone, title, description, agenda, location, meetingLink, recurrence } = meeting;
  const participantIds = [...new Set([meeting.organizerId, ...meeting.participantIds])];
  const sharedFields = { startTime, endTime, timezone, title, description, agenda, location, meetingLink, recurrence };
  return {
    timezone,
    master: { ...sharedFields, participantIds, answers, excludedStarts: [] as string[] },
    occurrences: [],
  };
}

export const toScheduledEvent = <M extends MeetingFields>(meeting: M) => ({
  ...meeting,
  calendar: buildCalendar(meeting),
});
export const toCancelledEvent = <M extends MeetingFields>(meeting: M) => ({
  ...meeting,
  calendarBefore: buildCalendar(meeting),
});
export const toUpdatedEvent = <M extends MeetingFields>(before: MeetingFields, after: M) => ({
  ...after,
  calendarBefore: buildCalendar(before),
  calendar: buildCalendar(after),
});
