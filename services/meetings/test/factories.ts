import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import { newId } from '@atrium/service-kit/process/new-id';
import { startService } from '@atrium/service-kit/service/start-service';
import { buildUser } from '@atrium/test-kit/build-user';
import { startTestService, type TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { Temporal } from 'temporal-polyfill';
import { meetingsService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

const buildNamedUser = (firstName: string, role: 'admin' | 'project_manager' | 'member') =>
  buildUser({ firstName, role });

/** The organizer is in the time zone of Berlin; all others use UTC. */
const buildTestUsers = () => ({
  admin: buildNamedUser('Ada', 'admin'),
  organizer: buildUser({ firstName: 'Paul', role: 'project_manager', timezone: 'Europe/Berlin' }),
  manager: buildNamedUser('Petra', 'project_manager'),
  invitee: buildNamedUser('Mia', 'member'),
  second: buildNamedUser('Max', 'member'),
  stranger: buildNamedUser('Sam', 'member'),
  inactive: buildUser({ firstName: 'Ina', status: 'inactive' }),
});

export type TestUsers = ReturnType<typeof buildTestUsers>;
export type TestUserName = keyof TestUsers;

/** Starts the service with known users, and returns helpers to call it. */
export async function startMeetings(extraEnv: Record<string, string> = {}) {
  const service = await startTestService(
    'meetings',
    (env, overrides) => startService(meetingsService, readConfig(env), overrides),
    extraEnv,
  );
  const users = buildTestUsers();
  service.addToDirectory(...Object.values(users));
  return { service, users, ...createCalls(service, users) };
}

function createCalls(service: TestService, users: TestUsers) {
  const call = (as: TestUserName, method: string, path: string, body?: unknown) =>
    service.call(method, path, { as: users[as], ...(body !== undefined && { body }) });
  const withScope = (path: string, scope?: string) => (scope ? `${path}?scope=${scope}` : path);
  return {
    addProject(overrides: Partial<DirectoryProject> = {}): string {
      const { organizer } = users;
      const project = {
        _id: newId(),
        name: 'Portal',
        managerId: organizer._id,
        memberIds: [],
        deleted: false,
        version: 1,
      };
      service.addProjects({ ...project, ...overrides });
      return overrides._id ?? project._id;
    },
    buildBody: (overrides: Record<string, unknown> = {}) => buildMeetingBody(users, overrides),
    create: (as: TestUserName, overrides: Record<string, unknown> = {}) =>
      call(as, 'POST', '/meetings', buildMeetingBody(users, overrides)),
    /** Throws unless the meeting was created. */
    async scheduleMeeting(overrides: Record<string, unknown> = {}, as: TestUserName = 'organizer'): Promise<Meeting> {
      const { status, body } = await call(as, 'POST', '/meetings', buildMeetingBody(users, overrides));
      if (status !== 201) throw new Error(`Failed to create meeting: ${status} ${JSON.stringify(body)}`);
      return body as Meeting;
    },
    get: (as: TestUserName, id: string) => call(as, 'GET', `/meetings/${id}`),
    patch: (as: TestUserName, id: string, body: unknown, scope?: string) =>
      call(as, 'PATCH', withScope(`/meetings/${id}`, scope), body),
    remove: (as: TestUserName, id: string, scope?: string) => call(as, 'DELETE', withScope(`/meetings/${id}`, scope)),
    respond: (as: TestUserName, id: string, status: string, fields: Record<string, unknown> = {}, scope?: string) =>
      call(as, 'POST', withScope(`/meetings/${id}/respond`, scope), { status, ...fields }),
    async list(as: TestUserName, query = ''): Promise<{ data: Meeting[]; total: number; totalPages: number }> {
      const { body } = await call(as, 'GET', `/meetings?limit=100${query}`);
      return body as { data: Meeting[]; total: number; totalPages: number };
    },
    /** Lists all visible occurrences by start. */
    async listOccurrences(as: TestUserName, seriesId: string | null): Promise<Meeting[]> {
      const occurrences: Meeting[] = [];
      for (let page = 1; ; page += 1) {
        const { body } = await call(as, 'GET', `/meetings?limit=100&page=${page}`);
        const { data, totalPages } = body as { data: Meeting[]; totalPages: number };
        occurrences.push(...data.filter((meeting) => meeting.seriesId === seriesId));
        if (page >= totalPages) return occurrences;
      }
    },
  };
}

/** Returns a valid body: one hour, a week from now. */
export function buildMeetingBody(users: TestUsers, overrides: Record<string, unknown> = {}) {
  const startTime = typeof overrides.startTime === 'string' ? overrides.startTime : inHours(24 * 7);
  return {
    title: 'Portal stand-up',
    type: 'standup',
    startTime,
    endTime: new Date(Date.parse(startTime) + 3_600_000).toISOString(),
    meetingLink: 'https://meet.example.org/portal',
    participants: [users.invitee._id],
    ...overrides,
  };
}

const STARTED_AT = Date.now();

/** Counts from the start of the suite, so that equal offsets are equal instants. */
export const inHours = (hours: number): string =>
  new Date(Math.round(STARTED_AT / 1000) * 1000 + hours * 3_600_000).toISOString();

/** Returns the instant of a local time such as `2030-10-21T09:00` in Berlin. */
export const berlin = (local: string): string =>
  iso(Temporal.PlainDateTime.from(local).toZonedDateTime('Europe/Berlin'));

export const iso = (at: Temporal.ZonedDateTime): string => new Date(at.epochMilliseconds).toISOString();

/** Returns the local time in Berlin. */
export const toWallClock = (instant: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO('Europe/Berlin').toPlainDateTime().toString().slice(0, 16);

/** Returns the instant `days` from today, at a time in Berlin. */
export function berlinDay(days: number, time = '09:00'): string {
  const day = Temporal.Now.zonedDateTimeISO('Europe/Berlin').toPlainDate().add({ days });
  return berlin(`${day.toString()}T${time}`);
}

/** Schedules a series that is too large for one transaction, and waits until the background loop has filled it. */
export async function fillInBackground(api: Awaited<ReturnType<typeof startMeetings>>): Promise<void> {
  const crowd = Array.from({ length: 180 }, (_, index) => ({
    ...api.users.second,
    _id: (index + 1).toString(16).padStart(24, 'a'),
  }));
  api.service.addToDirectory(...crowd);
  const first = await api.scheduleMeeting({
    startTime: berlinDay(1),
    isRecurring: true,
    recurringFrequency: 'daily',
    participants: crowd.map(({ _id }) => _id),
  });
  const count = async () => (await api.listOccurrences('organizer', first.seriesId)).length;
  await waitFor(async () => (await count()) > 360, { description: 'the rest of the series' });
}
