import { writeFeed } from '@atrium/meetings/calendar-feed/read-feed';
import type { Deps } from '@atrium/meetings/deps';
import { createMeeting } from '@atrium/meetings/meetings/create-meeting';
import { deleteMeeting } from '@atrium/meetings/meetings/delete-meeting';
import { fillAll } from '@atrium/meetings/meetings/occurrence-generator';
import { listMeetings } from '@atrium/meetings/meetings/read-meetings';
import { respondToMeeting } from '@atrium/meetings/meetings/respond-to-meeting';
import { updateMeeting } from '@atrium/meetings/meetings/update-meeting';
import type { MeetingStats } from '@atrium/meetings/model/meeting-list-repository';
import { buildCalendarEmails } from '@atrium/notifications/calendars/send-calendar-invites';
import { envelope } from '@atrium/proto-events/event';
import { meetingCancelled, meetingScheduled, meetingUpdated } from '@atrium/proto-events/events/meetings';
import { MAX_USERS_PER_ITEM } from '@atrium/proto-events/fields';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { createDirectory } from '@atrium/service-kit/directory/directory';
import { createProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { createCoalescer } from '@atrium/service-kit/process/coalesce-computations';
import { testDatabase } from '@atrium/test-kit/backing-servers';
import type { CalendarTeam, ReceivedEmail } from './calendar-team.ts';

const DAY_MS = 86_400_000;

/**
 * Creates a team that runs the use cases of meetings on a real database, and the email code of notifications on the
 * events of the outbox. Without HTTP, NATS, and SMTP, thousands of histories take only minutes.
 */
export async function openInProcessTeam(): Promise<CalendarTeam> {
  const url = await testDatabase('calendars');
  await migrate(url, new URL('../../services/meetings/migrations/', import.meta.url));
  const log = createLogger('calendars', 'silent');
  const db = createDb(url, 4, log);
  const directory = createDirectory();
  const projects = createProjectDirectory();
  projects.markComplete();
  const occurrenceGenerator = { start: () => undefined, wake: () => undefined, stop: async () => undefined };
  const directoryMaxAgeMs = 300_000;
  const coalescers = { counts: createCoalescer<number>(), stats: createCoalescer<MeetingStats>() };
  const deps: Deps = { db, directory, directoryMaxAgeMs, projects, allowPast: false, occurrenceGenerator, coalescers };
  const toCaller = (user: DirectoryUser) => ({ userId: user._id, role: user.role, sessionId: 'none' });
  return {
    addUser: (user) => directory.putUser(user),
    create: (user, body) => createMeeting(deps, toCaller(user), { body, key: undefined }),
    change: (user, id, { scope, body }) => updateMeeting(deps, toCaller(user), { id, scope, body }),
    cancel: (user, id, scope) => deleteMeeting(deps, toCaller(user), { id, scope }),
    respond: (user, id, { scope, status }) => respondToMeeting(deps, toCaller(user), { id, scope, body: { status } }),
    async list(user) {
      const meetings: Meeting[] = [];
      for (let page = 1; ; page += 1) {
        const { data, totalPages } = await listMeetings(deps, toCaller(user), {
          page,
          limit: 100,
          people: MAX_USERS_PER_ITEM,
          series: 'all',
        });
        meetings.push(...data);
        if (page >= totalPages) return meetings;
      }
    },
    feed: (user) => writeFeed(deps, { created_at: new Date() }, user),
    async emails() {
      const { rows } = await db.query<{ id: number; payload: string }>('delete from outbox returning id, payload');
      const emails: ReceivedEmail[] = [];
      for (const { payload } of rows.toSorted((a, b) => a.id - b.id)) emails.push(...(await buildEmails(payload)));
      return emails;
    },
    fillAhead: (days) => fillAll({ db, log }, { now: new Date(Date.now() + days * DAY_MS) }),
    close: () => db.pool.end(),
  };

  async function buildEmails(payload: string): Promise<ReceivedEmail[]> {
    const event = parseEvent(JSON.parse(payload));
    if (!event) return [];
    const mailings = await buildCalendarEmails({ directory, senderAddress: 'no-reply@example.org' }, event);
    return mailings.flatMap(({ recipients, calendar }) =>
      recipients.flatMap(({ id }) => {
        const to = directory.user(id);
        return to && calendar ? [{ to, text: calendar.text }] : [];
      }),
    );
  }
}

/** Parses an event like its consumer, or returns undefined if it causes no email. */
function parseEvent(payload: unknown) {
  const event = envelope.parse(payload);
  switch (event.type) {
    case meetingUpdated.type:
      return { ...event, data: meetingUpdated.data.parse(event.data) };
    case meetingScheduled.type:
      return { ...event, data: meetingScheduled.data.parse(event.data) };
    case meetingCancelled.type:
      return { ...event, data: meetingCancelled.data.parse(event.data) };
    default:
      return undefined;
  }
}
