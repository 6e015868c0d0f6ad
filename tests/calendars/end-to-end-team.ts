import { randomBytes } from 'node:crypto';
import { meetingsService } from '@atrium/meetings/app';
import { readConfig as readMeetingsConfig } from '@atrium/meetings/config';
import { notificationsService } from '@atrium/notifications/app';
import { readConfig as readNotificationsConfig } from '@atrium/notifications/config';
import { type ErrorCode, errorBody, STATUS_OF } from '@atrium/proto-events/errors';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { startService } from '@atrium/service-kit/service/start-service';
import { testMailbox, testMongo } from '@atrium/test-kit/backing-servers';
import { startTestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { createConnection } from 'mongoose';
import type { CalendarTeam, ReceivedEmail } from './calendar-team.ts';

/**
 * Creates a team that uses the meetings service over HTTP, and receives the emails of the notifications service through
 * a mail server.
 */
export async function openEndToEndTeam(): Promise<CalendarTeam> {
  const [mongo, mailbox] = await Promise.all([testMongo('calendars'), testMailbox()]);
  const meetings = await startTestService('meetings', (env, overrides) =>
    startService(meetingsService, readMeetingsConfig(env), overrides),
  );
  const notifications = await startTestService(
    'notifications',
    (env, overrides) => startService(notificationsService, readNotificationsConfig(env), overrides),
    {
      NATS_PREFIX: meetings.env.NATS_PREFIX ?? '',
      MONGO_URL: mongo,
      SMTP_URL: mailbox.smtpUrl,
      PUBLIC_URL: 'https://atrium.example.org',
      LINK_SEALING_KEY: randomBytes(32).toString('base64url'),
    },
  );
  const store = await createConnection(mongo).asPromise();
  const storedEmails = store.collection('mails');
  const seenIds = new Set<string>();
  const fetchFromMailbox = async <T>(path: string) =>
    (await (await fetch(`${mailbox.webUrl}/api/messages${path}`)).json()) as T;
  const call = async (method: string, path: string, { as, body }: { as: DirectoryUser; body?: unknown }) => {
    const response = await meetings.call(method, path, { as, ...(body !== undefined && { body }) });
    if (response.status < 400) return response.body;
    const { code, message } = errorBody.parse(response.body);
    const errorCode = Object.keys(STATUS_OF).find((knownCode): knownCode is ErrorCode => knownCode === code);
    throw errorCode && response.status < 500
      ? new AppError(errorCode, String(message))
      : new Error(`${path}: ${message}`);
  };
  return {
    addUser: (user) => {
      meetings.addToDirectory(user);
      notifications.addToDirectory(user);
    },
    create: (as, body) => call('POST', '/meetings', { as, body }),
    change: async (as, id, { scope, body }) =>
      (await call('PATCH', `/meetings/${id}?scope=${scope}`, { as, body })) as Meeting,
    cancel: (as, id, scope) => call('DELETE', `/meetings/${id}?scope=${scope}`, { as }),
    respond: (as, id, { scope, status }) =>
      call('POST', `/meetings/${id}/respond?scope=${scope}`, { as, body: { status } }),
    async list(as) {
      const allMeetings: Meeting[] = [];
      for (let page = 1; ; page += 1) {
        const { data, totalPages } = (await call('GET', `/meetings?limit=100&page=${page}`, { as })) as {
          data: Meeting[];
          totalPages: number;
        };
        allMeetings.push(...data);
        if (page >= totalPages) return allMeetings;
      }
    },
    async feed(as) {
      const { token } = (await call('POST', '/meetings/feed', { as })) as { token: string };
      const { status, body } = await meetings.call('GET', `/meetings/feed/${token}.ics`);
      if (status !== 200 || typeof body !== 'string') throw new Error(`feed returned ${status}`);
      return body;
    },
    mergesEmails: true,
    async emails(users) {
      // The gauges are in the order of the pipeline: an event that has left one stage is counted by the next one.
      const gauges = [
        [meetings.url, 'outbox_rows'],
        [notifications.url, 'consumer_pending'],
        [notifications.url, 'consumer_ack_pending'],
      ] as const;
      const waitUntilEmpty = (url: string, gauge: string) =>
        waitFor(async () => (await readGauge(url, gauge)) === 0, {
          description: `${gauge} to be 0`,
        });
      for (const [url, gauge] of gauges) await waitUntilEmpty(url, gauge);
      // Skips the delays between emails about one meeting, and then resets the daily limit.
      await storedEmails.updateMany({ state: 'queued' }, { $set: { nextAttemptAt: new Date() } });
      await waitUntilEmpty(notifications.url, 'emails_queued');
      await storedEmails.updateMany({}, { $set: { createdAt: new Date(Date.now() - 86_400_000) } });
      const emails: ReceivedEmail[] = [];
      for (const to of users) {
        const { data } = await fetchFromMailbox<{ data: { id: string }[] }>(`?to=${encodeURIComponent(to.email)}`);
        for (const { id } of data.toReversed().filter((message) => !seenIds.has(message.id))) {
          seenIds.add(id);
          const { calendar } = await fetchFromMailbox<{ calendar: { content: string } | null }>(`/${id}`);
          if (!calendar) throw new Error(`The email ${id} has no calendar`);
          emails.push({ to, text: calendar.content });
        }
      }
      return emails;
    },
    async close() {
      await store.close();
      await notifications.close();
      await meetings.close();
    },
  };
}

/** Returns the sum of a gauge over its labels. */
async function readGauge(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  if (lines.length === 0) throw new Error(`No gauge ${name}`);
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
