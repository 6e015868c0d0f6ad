import { type EventOf, envelope } from '@atrium/proto-events/event';
import { meetingCancelled, meetingDue, meetingResponded, meetingUpdated } from '@atrium/proto-events/events/meetings';
import { MAX_REMINDER_MINUTES } from '@atrium/proto-events/preferences';
import { createDirectory } from '@atrium/service-kit/directory/directory';
import { connectMessaging, type Messaging } from '@atrium/service-kit/messaging/messaging';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/people';
import { type ServiceProcess, startServiceProcess } from '@atrium/test-kit/start-service-process';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listUpcoming, trackEarlyReminders } from '../src/reminders/send-reminders.ts';
import { startMeetings } from './factories.ts';

const MAIN = new URL('../src/main.ts', import.meta.url);
const TIMEOUT = { timeoutMs: 30_000 };

let api: Awaited<ReturnType<typeof startMeetings>>;
let messaging: Messaging;
let db: Db;
/** By event id: events of a killed pod are redelivered with the same id, by which consumers deduplicate. */
const received = new Map<string, EventOf<typeof meetingDue>>();

beforeAll(async () => {
  api = await startMeetings();
  const { NATS_URL: url = '', NATS_PREFIX: prefix = '', DATABASE_URL: database = '' } = api.service.env;
  db = createDb(database, 1, createLogger('test', 'silent'));
  messaging = await connectMessaging({
    url,
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

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

/** `<user> <start>` of every reminder of a meeting. */
const remindersOf = (meetingId: string) =>
  [...received.values()]
    .filter(({ data }) => data.meetingId === meetingId)
    .flatMap(({ data }) => data.personIds.map((id) => `${id} ${data.startTime}`))
    .sort();

/** Waits for the expected reminders, and for one due later to prove that no others follow. */
async function settled(meetingId: string, expected: string[]): Promise<void> {
  await waitFor(() => remindersOf(meetingId).length >= expected.length, { what: 'the reminders', ...TIMEOUT });
  const later = await api.scheduleMeeting({ startTime: inMs(10 * MINUTE) });
  await waitFor(() => remindersOf(later._id).length >= 2, { what: 'a later reminder', ...TIMEOUT });
  expect(remindersOf(meetingId)).toEqual([...expected].sort());
}

describe('a reminder', () => {
  it('is sent to each user at their chosen lead time, and not to users who declined or disabled reminders', async () => {
    const { organizer, invitee } = api.people;
    const soon = buildUser({ preferences: { reminderMinutes: 5 } });
    const long = buildUser({ preferences: { reminderMinutes: 60 } });
    const never = buildUser({ preferences: { reminderMinutes: null } });
    api.service.addToDirectory(soon, long, never);
    const startTime = inMs(15 * MINUTE + 4 * SECOND);
    const meeting = await api.scheduleMeeting({
      startTime,
      location: 'Room 4',
      participants: [invitee._id, soon._id, long._id, never._id, api.people.second._id],
    });
    await api.respond('second', meeting._id, 'declined');
    await waitFor(() => remindersOf(meeting._id).length > 0, { what: 'the first lead time', ...TIMEOUT });
    // No reminder is sent before its time.
    if (Date.now() < Date.parse(startTime) - 15 * MINUTE)
      expect(remindersOf(meeting._id)).toEqual([`${long._id} ${startTime}`]);
    await settled(
      meeting._id,
      [organizer, invitee, long].map(({ _id }) => `${_id} ${startTime}`),
    );
    const event = await api.service.published(meetingDue, ({ meetingId }) => meetingId === meeting._id);
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
    const early = trackEarlyReminders(directory);
    // The service itself uses the default lead time.
    const person = buildUser();
    api.service.addToDirectory(person);
    const meeting = await api.scheduleMeeting({ startTime: inMs(1_300 * MINUTE), participants: [person._id] });
    const comingWith = async (reminderMinutes: number | null, version: number) => {
      directory.putUser({ ...person, preferences: { reminderMinutes }, version: person.version + version });
      const { upcoming } = await listUpcoming(db, early);
      return upcoming.filter(({ meeting_id }) => meeting_id === meeting._id).map(({ user_id }) => user_id);
    };
    expect(await comingWith(15, 1)).toEqual([]);
    expect(await comingWith(MAX_REMINDER_MINUTES, 2)).toEqual([person._id]);
    expect(await comingWith(20, 3)).toEqual([]);
    expect(await comingWith(null, 4)).toEqual([]);
    expect([...early]).toEqual([]);
  });

  it('is sent again when the meeting moves, also back to its previous time', async () => {
    const { organizer, invitee } = api.people;
    const both = (start: string) => [organizer, invitee].map(({ _id }) => `${_id} ${start}`);
    const [first, second] = [inMs(12 * MINUTE), inMs(14 * MINUTE)];
    const moveTo = async (id: string, startTime: string) => {
      const endTime = new Date(Date.parse(startTime) + MINUTE).toISOString();
      expect((await api.patch('organizer', id, { startTime, endTime })).status).toBe(200);
    };
    const { _id } = await api.scheduleMeeting({ startTime: first });
    await waitFor(() => remindersOf(_id).length === 2, { what: 'the first reminder', ...TIMEOUT });
    await api.patch('organizer', _id, { title: 'Another name' });
    await moveTo(_id, second);
    await waitFor(() => remindersOf(_id).length === 4, { what: 'the reminder of the new time', ...TIMEOUT });
    await moveTo(_id, first);
    await settled(_id, [...both(first), ...both(second), ...both(first)]);
  });

  it('is withdrawn by every event that removes the start for a user, and by no other', async () => {
    const { organizer, invitee, second } = api.people;
    const [startTime, later] = [inMs(12 * MINUTE), inMs(14 * MINUTE)];
    const { _id } = await api.scheduleMeeting({ startTime, participants: [invitee._id, second._id] });
    const isOf = ({ meetingId }: { meetingId: string }) => meetingId === _id;
    const changeOf = async (field: string) =>
      (await api.service.published(meetingUpdated, (data) => isOf(data) && data.changed.includes(field))).data;
    const over = (start: string, ...people: { _id: string }[]) => [
      { meetingId: _id, startTime: start, personIds: people.map((person) => person._id).sort() },
    ];
    await waitFor(() => remindersOf(_id).length === 3, { what: 'the reminders', ...TIMEOUT });
    await api.patch('organizer', _id, { title: 'Another name' });
    expect((await changeOf('title')).staleReminders).toBeUndefined();
    await api.respond('invitee', _id, 'accepted');
    await api.respond('second', _id, 'declined');
    const respond = async (status: string) =>
      (await api.service.published(meetingResponded, (data) => isOf(data) && data.status === status)).data;
    expect((await respond('accepted')).staleReminders).toBeUndefined();
    expect((await respond('declined')).staleReminders).toEqual(over(startTime, second));
    await api.patch('organizer', _id, { participants: [invitee._id] });
    expect((await changeOf('participants')).staleReminders).toEqual(over(startTime, second));
    await api.patch('organizer', _id, {
      startTime: later,
      endTime: new Date(Date.parse(later) + MINUTE).toISOString(),
    });
    expect((await changeOf('startTime')).staleReminders).toEqual(over(startTime, invitee, organizer));
    await waitFor(() => remindersOf(_id).length === 5, { what: 'the reminders of the new time', ...TIMEOUT });
    expect((await api.remove('organizer', _id)).status).toBe(204);
    const cancelled = await api.service.published(meetingCancelled, isOf);
    expect(cancelled.data.staleReminders).toEqual(over(later, invitee, organizer));
  });

  it('of a series is withdrawn when the whole series moves, but not for text changes', async () => {
    const { organizer, invitee } = api.people;
    const startTime = inMs(11 * MINUTE);
    const first = await api.scheduleMeeting({ startTime, isRecurring: true, recurringFrequency: 'daily' });
    await waitFor(() => remindersOf(first._id).length === 2, { what: 'the reminders', ...TIMEOUT });
    const ofSeries = (field: string) =>
      api.service.published(
        meetingUpdated,
        ({ calendarId, changed }) => calendarId === first.seriesId && changed.includes(field),
      );
    await api.patch('organizer', first._id, { title: 'Another name' }, 'following');
    expect((await ofSeries('title')).data.staleReminders).toBeUndefined();
    const later = inMs(16 * MINUTE);
    const endTime = new Date(Date.parse(later) + MINUTE).toISOString();
    await api.patch('organizer', first._id, { startTime: later, endTime }, 'all');
    const { data } = await ofSeries('startTime');
    const personIds = [organizer._id, invitee._id].sort();
    expect(data.staleReminders).toEqual([{ meetingId: first._id, startTime, personIds }]);
  });

  it('is not sent for started meetings, and is sent for occurrences of a series', async () => {
    const { organizer, invitee } = api.people;
    const startTime = inMs(9 * MINUTE);
    const first = await api.scheduleMeeting({ startTime, isRecurring: true, recurringFrequency: 'daily' });
    const begun = newId();
    await api.service.query(insertMeetings(`'${begun}'`, '-30 minutes', 1), [organizer._id]);
    await settled(
      first._id,
      [organizer, invitee].map(({ _id }) => `${_id} ${startTime}`),
    );
    expect(remindersOf(begun)).toEqual([]);
  });
});

/** Inserts one-hour meetings with `$1` as the only participant, as an import would. */
const insertMeetings = (id: string, after: string, count: number) =>
  `with made as (
     insert into meetings (id, title, description, type, starts_at, ends_at, timezone, location, meeting_link, agenda, organizer_id)
     select ${id}, 'Due ' || n, '', 'other', now() + interval '${after}' + n * interval '40 milliseconds',
            now() + interval '${after}' + interval '1 hour', 'UTC', '', 'https://meet.example.org/due', '', $1
     from generate_series(1, ${count}) n returning id, starts_at, ends_at, organizer_id
   )
   insert into participants (meeting_id, user_id, position, response, starts_at, ends_at)
   select id, organizer_id, 1, 'accepted', starts_at, ends_at from made`;

describe('when one of two pods is killed and replaced', () => {
  const MEETINGS = 300;
  const pods: ServiceProcess[] = [];
  afterAll(() => Promise.all(pods.map((pod) => pod.end('SIGKILL'))));

  it('every reminder is sent exactly once', async () => {
    const person = buildUser();
    api.service.addToDirectory(person);
    const start = async (): Promise<ServiceProcess> => {
      const { env, tokens } = api.service;
      const pod = await startServiceProcess({ main: MAIN, env, tokens, people: [person] });
      pods.push(pod);
      return pod;
    };
    const second = await start();
    // They become due over twelve seconds.
    await api.service.query(insertMeetings(`lpad(to_hex(n), 24, '0')`, '15 minutes 2 seconds', MEETINGS), [person._id]);
    const mine = () => [...received.values()].filter(({ data }) => data.personIds.includes(person._id));
    await waitFor(() => mine().length > 10, { what: 'the first reminder', ...TIMEOUT });
    await second.end('SIGKILL');
    await start();
    await waitFor(() => new Set(mine().map(({ data }) => data.meetingId)).size === MEETINGS, {
      what: 'all reminders',
      ...TIMEOUT,
    });
    const later = await api.scheduleMeeting({ startTime: inMs(10 * MINUTE) });
    await waitFor(() => remindersOf(later._id).length === 2, { what: 'a later reminder', ...TIMEOUT });
    expect(mine()).toHaveLength(MEETINGS);
  });
});
