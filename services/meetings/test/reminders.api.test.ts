import { type EventOf, envelope } from '@atrium/proto-events/event';
import { meetingCancelled, meetingDue, meetingResponded, meetingUpdated } from '@atrium/proto-events/events/meetings';
import { MAX_REMINDER_MINUTES } from '@atrium/proto-events/preferences';
import { createDirectory } from '@atrium/service-kit/directory/directory';
import { connectMessaging, type Messaging } from '@atrium/service-kit/messaging/messaging';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { type ServiceProcess, startServiceProcess } from '@atrium/test-kit/start-service-process';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listUpcomingParticipants, trackEarlyReminders } from '../src/reminders/send-reminders.ts';
import { startMeetings } from './factories.ts';

const MAIN = new URL('../src/main.ts', import.meta.url);
const TIMEOUT = { timeoutMs: 30_000 };

let api: Awaited<ReturnType<typeof startMeetings>>;
let messaging: Messaging;
let db: Db;
/** Events by id: those of a killed pod are redelivered with the same id, which lets consumers deduplicate them. */
const received = new Map<string, EventOf<typeof meetingDue>>();

beforeAll(async () => {
  api = await startMeetings();
  const { NATS_URL: url = '', NATS_PREFIX: prefix = '', DATABASE_URL: database = '' } = api.service.env;
  db = createDb(database, 1, createLogger('test', 'silent'));
  messaging = await connectMessaging({
    access: { servers: url },
    prefix,
    replicas: 1,
    name: 'listener',
    log: createLogger('test', 'silent'),
  });
  messaging.connection.subscribe(messaging.subject('meetings.meeting.due.>'), {
    callback: (_error, message) => {
      const event = envelope.parse(message.json());
      received.set(event.id, { ...event, data: meetingDue.data.parse(event.data) });
    },
  });
  await messaging.connection.flush();
});
afterAll(async () => {
  await messaging.connection.close();
  await db.pool.end();
  await api.service.close();
});

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

/** Lists every reminder of a meeting as `<user> <start>`. */
const listReminders = (meetingId: string) =>
  [...received.values()]
    .filter(({ data }) => data.meetingId === meetingId)
    .flatMap(({ data }) => data.personIds.map((id) => `${id} ${data.startTime}`))
    .sort();

/** Waits for the expected reminders, and for one due later to show that no others follow. */
async function expectReminders(meetingId: string, expected: string[]): Promise<void> {
  await waitFor(() => listReminders(meetingId).length >= expected.length, { description: 'the reminders', ...TIMEOUT });
  const later = await api.scheduleMeeting({ startTime: inMs(10 * MINUTE_MS) });
  await waitFor(() => listReminders(later._id).length >= 2, { description: 'a later reminder', ...TIMEOUT });
  expect(listReminders(meetingId)).toEqual([...expected].sort());
}

describe('a reminder', () => {
  it('is sent to each user at their chosen lead time, but not to users who declined or disabled reminders', async () => {
    const { organizer, invitee } = api.users;
    const soon = buildUser({ preferences: { reminderMinutes: 5 } });
    const long = buildUser({ preferences: { reminderMinutes: 60 } });
    const never = buildUser({ preferences: { reminderMinutes: null } });
    api.service.addToDirectory(soon, long, never);
    const startTime = inMs(15 * MINUTE_MS + 4 * SECOND_MS);
    const meeting = await api.scheduleMeeting({
      startTime,
      location: 'Room 4',
      participants: [invitee._id, soon._id, long._id, never._id, api.users.second._id],
    });
    await api.respond('second', meeting._id, 'declined');
    await waitFor(() => listReminders(meeting._id).length > 0, { description: 'the first lead time', ...TIMEOUT });
    // No reminder is sent before its time.
    if (Date.now() < Date.parse(startTime) - 15 * MINUTE_MS)
      expect(listReminders(meeting._id)).toEqual([`${long._id} ${startTime}`]);
    await expectReminders(
      meeting._id,
      [organizer, invitee, long].map(({ _id }) => `${_id} ${startTime}`),
    );
    const event = await api.service.waitForEvent(meetingDue, ({ meetingId }) => meetingId === meeting._id);
    expect(event).toMatchObject({
      actorId: null,
      data: {
        title: meeting.title,
        startTime,
        location: 'Room 4',
        meetingLink: meeting.meetingLink,
        recurrenceId: null,
      },
    });
  });

  it('a day ahead for one user does not read the meetings of other users that far ahead', async () => {
    const directory = createDirectory();
    const earlyReminders = trackEarlyReminders(directory);
    // The service itself uses the default lead time.
    const user = buildUser();
    api.service.addToDirectory(user);
    const meeting = await api.scheduleMeeting({ startTime: inMs(1_300 * MINUTE_MS), participants: [user._id] });
    const listWithLeadTime = async (reminderMinutes: number | null, version: number) => {
      directory.putUser({ ...user, preferences: { reminderMinutes }, version: user.version + version });
      const { upcoming } = await listUpcomingParticipants(db, earlyReminders);
      return upcoming.filter(({ meeting_id }) => meeting_id === meeting._id).map(({ user_id }) => user_id);
    };
    expect(await listWithLeadTime(15, 1)).toEqual([]);
    expect(await listWithLeadTime(MAX_REMINDER_MINUTES, 2)).toEqual([user._id]);
    expect(await listWithLeadTime(20, 3)).toEqual([]);
    expect(await listWithLeadTime(null, 4)).toEqual([]);
    expect([...earlyReminders]).toEqual([]);
  });

  it('is sent again when the meeting moves, even back to its previous time', async () => {
    const { organizer, invitee } = api.users;
    const remindersAt = (start: string) => [organizer, invitee].map(({ _id }) => `${_id} ${start}`);
    const first = inMs(12 * MINUTE_MS);
    const second = inMs(14 * MINUTE_MS);
    const moveTo = async (id: string, startTime: string) => {
      const endTime = new Date(Date.parse(startTime) + MINUTE_MS).toISOString();
      expect((await api.patch('organizer', id, { startTime, endTime })).status).toBe(200);
    };
    const { _id } = await api.scheduleMeeting({ startTime: first });
    await waitFor(() => listReminders(_id).length === 2, { description: 'the first reminder', ...TIMEOUT });
    await api.patch('organizer', _id, { title: 'A different name' });
    await moveTo(_id, second);
    await waitFor(() => listReminders(_id).length === 4, { description: 'the reminder of the new time', ...TIMEOUT });
    await moveTo(_id, first);
    await expectReminders(_id, [...remindersAt(first), ...remindersAt(second), ...remindersAt(first)]);
  });

  it('is withdrawn by every event that removes the start for a user, and by no other', async () => {
    const { organizer, invitee, second } = api.users;
    const startTime = inMs(12 * MINUTE_MS);
    const later = inMs(14 * MINUTE_MS);
    const { _id } = await api.scheduleMeeting({ startTime, participants: [invitee._id, second._id] });
    const isOf = ({ meetingId }: { meetingId: string }) => meetingId === _id;
    const readChange = async (field: string) =>
      (await api.service.waitForEvent(meetingUpdated, (data) => isOf(data) && data.changed.includes(field))).data;
    const staleReminders = (start: string, ...users: { _id: string }[]) => [
      { meetingId: _id, startTime: start, personIds: users.map((user) => user._id).sort() },
    ];
    await waitFor(() => listReminders(_id).length === 3, { description: 'the reminders', ...TIMEOUT });
    await api.patch('organizer', _id, { title: 'A different name' });
    expect((await readChange('title')).staleReminders).toBeUndefined();
    await api.respond('invitee', _id, 'accepted');
    await api.respond('second', _id, 'declined');
    const readResponse = async (status: string) =>
      (await api.service.waitForEvent(meetingResponded, (data) => isOf(data) && data.status === status)).data;
    expect((await readResponse('accepted')).staleReminders).toBeUndefined();
    expect((await readResponse('declined')).staleReminders).toEqual(staleReminders(startTime, second));
    await api.patch('organizer', _id, { participants: [invitee._id] });
    expect((await readChange('participants')).staleReminders).toEqual(staleReminders(startTime, second));
    await api.patch('organizer', _id, {
      startTime: later,
      endTime: new Date(Date.parse(later) + MINUTE_MS).toISOString(),
    });
    expect((await readChange('startTime')).staleReminders).toEqual(staleReminders(startTime, invitee, organizer));
    await waitFor(() => listReminders(_id).length === 5, { description: 'the reminders of the new time', ...TIMEOUT });
    expect((await api.remove('organizer', _id)).status).toBe(204);
    const cancellation = await api.service.waitForEvent(meetingCancelled, isOf);
    expect(cancellation.data.staleReminders).toEqual(staleReminders(later, invitee, organizer));
  });

  it('of a series is withdrawn when the whole series moves, but not for text changes', async () => {
    const { organizer, invitee } = api.users;
    const startTime = inMs(11 * MINUTE_MS);
    const first = await api.scheduleMeeting({ startTime, isRecurring: true, recurringFrequency: 'daily' });
    await waitFor(() => listReminders(first._id).length === 2, { description: 'the reminders', ...TIMEOUT });
    const readChange = (field: string) =>
      api.service.waitForEvent(
        meetingUpdated,
        ({ calendarId, changed }) => calendarId === first.seriesId && changed.includes(field),
      );
    await api.patch('organizer', first._id, { title: 'A different name' }, 'following');
    expect((await readChange('title')).data.staleReminders).toBeUndefined();
    const later = inMs(16 * MINUTE_MS);
    const endTime = new Date(Date.parse(later) + MINUTE_MS).toISOString();
    await api.patch('organizer', first._id, { startTime: later, endTime }, 'all');
    const { data } = await readChange('startTime');
    const personIds = [organizer._id, invitee._id].sort();
    expect(data.staleReminders).toEqual([{ meetingId: first._id, startTime, personIds }]);
  });

  it('is not sent for started meetings, and is sent for occurrences of a series', async () => {
    const { organizer, invitee } = api.users;
    const startTime = inMs(9 * MINUTE_MS);
    const first = await api.scheduleMeeting({ startTime, isRecurring: true, recurringFrequency: 'daily' });
    const startedId = newId();
    await api.service.query(insertMeetings(`'${startedId}'`, '-30 minutes', 1), [organizer._id]);
    await expectReminders(
      first._id,
      [organizer, invitee].map(({ _id }) => `${_id} ${startTime}`),
    );
    expect(listReminders(startedId)).toEqual([]);
  });
});

/** Inserts one-hour meetings with `$1` as the only participant, as an import would. */
const insertMeetings = (id: string, after: string, count: number) =>
  `with inserted as (
     insert into meetings (id, title, description, type, starts_at, ends_at, timezone, location, meeting_link, agenda, organizer_id)
     select ${id}, 'Due ' || n, '', 'other', now() + interval '${after}' + n * interval '40 milliseconds',
            now() + interval '${after}' + interval '1 hour', 'UTC', '', 'https://meet.example.org/due', '', $1
     from generate_series(1, ${count}) n returning id, starts_at, ends_at, organizer_id
   )
   insert into participants (meeting_id, user_id, position, response, starts_at, ends_at)
   select id, organizer_id, 1, 'accepted', starts_at, ends_at from inserted`;

describe('reminders while one of two pods is killed and replaced', () => {
  const MEETINGS = 300;
  const pods: ServiceProcess[] = [];
  afterAll(() => Promise.all(pods.map((pod) => pod.end('SIGKILL'))));

  it('are sent exactly once', async () => {
    const user = buildUser();
    api.service.addToDirectory(user);
    const startPod = async (): Promise<ServiceProcess> => {
      const { env, tokens } = api.service;
      const pod = await startServiceProcess({ main: MAIN, env, tokens, users: [user] });
      pods.push(pod);
      return pod;
    };
    const secondPod = await startPod();
    // The reminders become due over twelve seconds.
    await api.service.query(insertMeetings(`lpad(to_hex(n), 24, '0')`, '15 minutes 2 seconds', MEETINGS), [user._id]);
    const listEvents = () => [...received.values()].filter(({ data }) => data.personIds.includes(user._id));
    await waitFor(() => listEvents().length > 10, { description: 'the first reminder', ...TIMEOUT });
    await secondPod.end('SIGKILL');
    await startPod();
    await waitFor(() => new Set(listEvents().map(({ data }) => data.meetingId)).size === MEETINGS, {
      description: 'all reminders',
      ...TIMEOUT,
    });
    const later = await api.scheduleMeeting({ startTime: inMs(10 * MINUTE_MS) });
    await waitFor(() => listReminders(later._id).length === 2, { description: 'a later reminder', ...TIMEOUT });
    expect(listEvents()).toHaveLength(MEETINGS);
  });
});
