import type { EmailChoice } from '@atrium/proto-events/notices/kinds';
import type { ChosenNotices } from '@atrium/proto-events/notices/settings';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import { fakeClockInEachTest } from '@atrium/test-kit/fake-clock';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Deps } from '../src/deps.ts';
import { sendDigests } from '../src/digests/send-digests.ts';
import { applySettings } from '../src/handlers/on-user-events.ts';
import { notifyUsers } from '../src/notifications/notify-users.ts';
import { LAST_RESTORE_ID } from '../src/store/records.ts';
import { buildUniqueUser } from './factories.ts';
import { setTime, startScenario } from './scenario.ts';

let scenario: Awaited<ReturnType<typeof startScenario>>;
let deps: Deps;

beforeAll(async () => {
  scenario = await startScenario();
  deps = scenario.deps;
});
afterAll(() => scenario.close());
fakeClockInEachTest();

function createUser(email: EmailChoice, notices: ChosenNotices = {}): DirectoryUser {
  const channels = { document_shared: { app: true, push: false, email } };
  const user = buildUniqueUser({ preferences: { notices: { channels, ...notices } } });
  deps.directory.putUser(user);
  return user;
}

/** Handles an event, a redelivered one if it has been handled before. */
async function share(user: DirectoryUser, { documentId = newId(), eventId = newId(), at = new Date() } = {}) {
  await notifyUsers(deps, {
    event: { id: eventId, actorId: null, occurredAt: at.toISOString() },
    kind: 'documents.document.shared',
    notice: { kind: 'document_shared', reason: 'reader' },
    subject: { resource: 'document', id: documentId, title: 'Plan.pdf' },
    userIds: [user._id],
  });
  return { documentId, eventId, at };
}

const read = ({ documentId }: { documentId: string }) =>
  deps.store.notifications.updateMany({ subjectId: documentId }, { $set: { read: true } });

/** What is queued for a user: `notice` about one notification, or `digest` about several. */
const listEmails = async (user: DirectoryUser) => (await scenario.listEmails(user)).map(({ kind }) => kind);

describe('a digest', () => {
  it('is sent if its time passes before it is stored', async () => {
    const user = createUser('immediate');
    setTime('12:00:59.980');
    const shared = await share(user);
    // The pod ends before it stores the digest, and the event is redelivered later.
    await deps.store.digests.deleteMany({ userId: user._id });
    setTime('12:02:00');
    await share(user, shared);
    await sendDigests(deps);
    expect(await listEmails(user)).toEqual(['notice']);
    expect(await deps.store.digests.countDocuments({ userId: user._id })).toBe(0);
  });

  it('is not sent again if an event is redelivered after it', async () => {
    const user = createUser('immediate');
    setTime('12:00:30');
    const shared = [];
    for (let n = 0; n < 5; n += 1) shared.push(await share(user));
    setTime('12:01:30');
    await sendDigests(deps);
    expect(await listEmails(user)).toEqual(['digest']);
    for (const item of shared.slice(0, 3)) await read(item);
    for (const item of shared) await share(user, item);
    await sendDigests(deps);
    expect(await listEmails(user)).toEqual(['digest']);
  });

  it('is not sent by a pod that has read it before another pod ended it', async () => {
    const user = createUser('immediate');
    setTime('12:00:30');
    for (let n = 0; n < 5; n += 1) await share(user);
    setTime('12:01:30');
    await Promise.all([sendDigests(deps), sendDigests(deps), sendDigests(deps)]);
    expect(await listEmails(user)).toEqual(['digest']);
  });

  it('is not postponed by events that are merged into its notifications', async () => {
    const collector = createUser('digest');
    const reader = createUser('immediate');
    setTime('07:58:00');
    const [collected, immediate] = [await share(collector), await share(reader)];
    // After the time of both digests, and before the one that collects is sent.
    setTime('08:00:05');
    await share(collector, { documentId: collected.documentId });
    await share(reader, { documentId: immediate.documentId });
    setTime('08:00:30');
    await sendDigests(deps);
    expect([await listEmails(collector), await listEmails(reader)]).toEqual([['digest'], ['notice']]);
  });

  it('is followed by another one if an event is merged into its notification after it', async () => {
    const user = createUser('immediate');
    setTime('12:00:10');
    const { documentId } = await share(user);
    setTime('12:01:30');
    await sendDigests(deps);
    setTime('12:01:40');
    await share(user, { documentId });
    setTime('12:02:30');
    await sendDigests(deps);
    expect(await listEmails(user)).toEqual(['notice', 'notice']);
  });

  it('is followed by another one if an event is merged into a notification while it is sent', async () => {
    const user = createUser('immediate');
    setTime('12:00:10');
    const seen = await share(user);
    await deps.store.visits.create({ _id: user._id, at: new Date('2026-11-30T12:00:20Z') });
    setTime('12:00:30');
    await share(user);
    setTime('12:01:30');
    await sendDigests({
      ...deps,
      async queueEmails(mailing) {
        await share(user, { documentId: seen.documentId });
        await deps.queueEmails(mailing);
      },
    });
    expect(await listEmails(user)).toEqual(['notice']);
    setTime('12:02:30');
    await sendDigests(deps);
    expect(await listEmails(user)).toEqual(['notice', 'notice']);
  });
});

describe('a queued email about notifications', () => {
  it('is withheld if none of them is unread anymore', async () => {
    const users = [createUser('immediate'), createUser('digest'), createUser('digest'), createUser('immediate')];
    setTime('07:59:10');
    const shared = [];
    for (const user of users) shared.push([user, await share(user), await share(user)] as const);
    setTime('08:00:30');
    await sendDigests(deps);
    for (const [user, first, second] of shared) {
      await read(first);
      if (user === users[0] || user === users[1]) await read(second);
      if (user === users[3]) await deps.store.notifications.deleteMany({ subjectId: second.documentId });
    }
    await scenario.deliverDue();
    const listStates = async (user: DirectoryUser) => (await scenario.listEmails(user)).map(({ state }) => state);
    expect(await Promise.all(users.map(listStates))).toEqual([
      ['failed', 'failed'],
      ['failed'],
      ['sent'],
      ['failed', 'failed'],
    ]);
  });

  it('is withheld if its recipient has seen what was to be emailed immediately', async () => {
    const [reader, collector] = [createUser('immediate'), createUser('digest')];
    setTime('07:59:10');
    for (const user of [reader, collector]) await share(user);
    setTime('08:00:30');
    await sendDigests(deps);
    for (const { _id } of [reader, collector]) await deps.store.visits.create({ _id, at: new Date() });
    await scenario.deliverDue();
    const [[immediate], [digest]] = [await scenario.listEmails(reader), await scenario.listEmails(collector)];
    expect([immediate?.state, digest?.state]).toEqual(['failed', 'sent']);
  });
});

describe('changed settings', () => {
  /** Changes a user in the directory, and returns the event about it. */
  function change(user: DirectoryUser, notices: ChosenNotices, fields: Partial<DirectoryUser> = {}) {
    const version = user.version + 1;
    const preferences = { notices: { ...user.preferences?.notices, ...notices } };
    deps.directory.putUser({ ...user, preferences, ...fields, version });
    return { data: { userId: user._id, version, changed: [...Object.keys(fields), 'preferences'] } };
  }

  it('postpone digests to the first time after a pause that begins before theirs', async () => {
    const user = createUser('digest');
    setTime('07:00:00');
    await share(user);
    const forgotten = await share(user);
    await applySettings(deps, change(user, { pausedUntil: '2026-11-30T12:00:00Z' }));
    setTime('08:00:30');
    await sendDigests(deps);
    expect(await listEmails(user)).toEqual([]);
    await read(forgotten);
    setTime('08:00:30', '2026-12-01');
    await sendDigests(deps);
    const [email] = await scenario.listEmails(user);
    expect(await deps.store.mailings.findById(email?.mailingId)).toMatchObject({ content: { total: 1 } });
  });

  it('postpone digests to the end of quiet hours that are added', async () => {
    const user = createUser('digest');
    setTime('07:00:00');
    await share(user);
    change(user, { quietHours: { start: '07:30', end: '09:15' } });
    setTime('08:00:30');
    await sendDigests(deps);
    expect(await listEmails(user)).toEqual([]);
    setTime('09:15:30');
    await sendDigests(deps);
    expect(await listEmails(user)).toEqual(['digest']);
  });

  it('let digests be due when a pause ends early', async () => {
    const users = [createUser('digest'), createUser('immediate')];
    for (const user of users) {
      const paused = change(user, { pausedUntil: '2026-12-30T12:00:00Z' });
      setTime('07:00:00');
      await share(user);
      setTime('10:00:00', '2026-12-02');
      await applySettings(deps, change({ ...user, version: paused.data.version }, { pausedUntil: null }));
      setTime('10:01:30', '2026-12-02');
    }
    await sendDigests(deps);
    expect(await Promise.all(users.map(listEmails))).toEqual([['digest'], ['notice']]);
  });

  it('do not postpone a digest that was sent before the data were restored', async () => {
    const user = createUser('digest');
    setTime('07:00:00');
    await share(user);
    const at = new Date('2026-11-30T23:00:00Z');
    await deps.store.restores.updateOne({ _id: LAST_RESTORE_ID }, { $set: { at, cut: at } }, { upsert: true });
    change(user, { quietHours: { start: '22:00', end: '07:00' } });
    setTime('23:30:00');
    await sendDigests(deps);
    await deps.store.restores.deleteMany({});
    const suppressed = await scenario.listEmails(user);
    expect(suppressed.map(({ kind, state }) => [kind, state])).toEqual([['digest', 'failed']]);
  });

  it('move digests to the times of a new time zone', async () => {
    const user = createUser('digest');
    setTime('20:00:00');
    await share(user);
    await applySettings(deps, change(user, {}, { timezone: 'America/New_York' }));
    setTime('08:00:30', '2026-12-01');
    await sendDigests(deps);
    expect(await listEmails(user)).toEqual([]);
    setTime('13:00:30', '2026-12-01');
    await sendDigests(deps);
    expect(await listEmails(user)).toEqual(['digest']);
  });

  it('remove kinds that are turned off from digests', async () => {
    const [collector, reader] = [createUser('digest'), createUser('immediate')];
    setTime('07:59:10');
    for (const user of [collector, reader]) {
      await share(user);
      change(user, { channels: { document_shared: { app: true, push: false, email: 'off' } } });
    }
    setTime('08:00:30');
    await sendDigests(deps);
    expect([await listEmails(collector), await listEmails(reader)]).toEqual([[], []]);
  });

  it('are applied again if the directory does not know them yet', async () => {
    const user = createUser('digest');
    const data = { userId: user._id, version: user.version + 1, changed: ['timezone'] };
    await expect(applySettings(deps, { data })).rejects.toThrow('is not in the directory yet');
  });
});
