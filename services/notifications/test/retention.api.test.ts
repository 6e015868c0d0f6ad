import { createLogger } from '@atrium/service-kit/observability/logger';
import { newId } from '@atrium/service-kit/process/new-id';
import { testMongo } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { withdrawNotifications } from '../src/notifications/notify-users.ts';
import { countDuePushes, findDuePushes } from '../src/push/due-pushes.ts';
import { removeSubscriptions } from '../src/push/manage-subscriptions.ts';
import { queuePushes } from '../src/push/queue-pushes.ts';
import { expireRecords } from '../src/store/expire-records.ts';
import { createStore, type Store } from '../src/store/store.ts';
import { collectCommands, listQueries, listUnindexed, withMonitoring } from './indexed-queries.ts';
import { startMongoProxy } from './mongo-proxy.ts';

const DAY_MS = 24 * 60 * 60_000;
const silentLog = createLogger('test', 'silent');
const neverAborted = new AbortController().signal;
const expire = (store: Store, log = silentLog) =>
  expireRecords(store, { sessionIdleDays: 7, log, signal: neverAborted });
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

const openResources = closeAfterEach();

async function openStore(url: string): Promise<Store> {
  const store = createStore(url, silentLog);
  openResources.push(store);
  await store.connected;
  return store;
}

async function openMonitoredStore() {
  const store = await openStore(withMonitoring(await testMongo('ageing')));
  return { store, commands: collectCommands(store) };
}

const buildClaim = (days: number) => ({ _id: newId(), at: daysAgo(days) });
const buildCalendarPart = (days: number) => ({
  _id: newId(),
  of: 'calendar' as const,
  occurrences: [],
  excludedStarts: [],
  at: daysAgo(days),
});

function collectWarnings() {
  const warnings: unknown[] = [];
  const log = Object.assign(createLogger('test', 'silent'), { warn: (fields: unknown) => void warnings.push(fields) });
  return { warnings, log };
}

describe('record expiry', () => {
  it('deletes all expired records in batches, and nothing else', async () => {
    const { store, commands } = await openMonitoredStore();
    const recentClaims = [buildClaim(13), buildClaim(1)];
    await store.claims.insertMany([...Array.from({ length: 2_100 }, () => buildClaim(32)), ...recentClaims]);
    await expire(store);
    const remainingClaims = await store.claims.find().lean();
    expect(remainingClaims.map(({ _id }) => _id).sort()).toEqual(recentClaims.map(({ _id }) => _id).sort());
    const batches = commands.filter((command) => command.delete === 'claims');
    expect(batches).toHaveLength(3);
    const listIds = ({ deletes }: Record<string, unknown>) =>
      (deletes as [{ q: { _id: { $in: string[] } } }])[0].q._id.$in;
    expect(batches.map((batch) => listIds(batch).length)).toEqual([1_000, 1_000, 100]);
  });

  it('keeps email contents for as long as a meeting email can stay queued, or an email is postponed', async () => {
    const { store } = await openMonitoredStore();
    const noReplyOrCalendar = { replyTo: null, calendarMethod: null, calendar: null };
    const buildContent = (days: number) => ({
      _id: `${days} days`,
      content: { template: 'meeting' },
      ...noReplyOrCalendar,
      createdAt: daysAgo(days),
    });
    await store.mailings.insertMany([buildContent(30), buildContent(32), buildContent(40), buildContent(50)]);
    const recipient = { recipientId: newId(), name: 'Mia Member', firstName: 'Mia', timezone: 'UTC' };
    const buildEmail = (days: number, state: 'queued' | 'sent') => ({
      _id: newId(),
      mailingId: `${days} days`,
      kind: 'meeting',
      about: newId(),
      requestId: newId(),
      ...recipient,
      address: 'mia@example.org',
      state,
      attempts: 0,
      nextAttemptAt: new Date(),
      settledAt: null,
      lastError: null,
      report: 'none' as const,
      createdAt: daysAgo(days),
    });
    await store.emails.insertMany([buildEmail(40, 'queued'), buildEmail(50, 'sent')]);
    await expire(store);
    expect((await store.mailings.distinct('_id')).sort()).toEqual(['30 days', '40 days']);
  });

  it('ends the subscriptions of browsers that have not opened Atrium while a session lasts', async () => {
    const { store } = await openMonitoredStore();
    const fields = { userId: newId(), sessionId: newId(), endpoint: 'https://push.example.org/x', publicKey: 'key' };
    const build = (days: number) => ({
      ...fields,
      _id: `${days} days`,
      keys: { p256dh: '', auth: '' },
      renewedAt: daysAgo(days),
    });
    await store.pushSubscriptions.insertMany([build(6), build(8)]);
    await expire(store);
    expect(await store.pushSubscriptions.distinct('_id')).toEqual(['6 days']);
  });

  it('finds expired records of each kind by an index', async () => {
    const { store, commands } = await openMonitoredStore();
    await store.indexed;
    await expire(store);
    const findCommands = commands.filter((command) => 'find' in command);
    expect(findCommands).toHaveLength(13);
    for (const { find, filter } of findCommands) {
      const fields = Object.keys(filter as object).sort();
      const indexes = await store.claims.db.collection(String(find)).listIndexes().toArray();
      const leadingFields = indexes.map(({ key }) =>
        Object.keys(key as object)
          .slice(0, fields.length)
          .sort(),
      );
      expect([find, leadingFields]).toEqual([find, expect.arrayContaining([fields])]);
    }
  });

  it('continues with the other collections when one fails, and logs its name', async () => {
    const proxy = await startMongoProxy(await testMongo('ageing'));
    openResources.push(proxy);
    const store = await openStore(proxy.url);
    await store.claims.insertMany([buildClaim(32)]);
    await store.calendarParts.insertMany([buildCalendarPart(100)]);
    const { warnings, log } = collectWarnings();
    proxy.setFault('error 1', ({ find }) => find === 'claims');
    await expire(store, log);
    expect([await store.calendarParts.countDocuments(), warnings.length]).toEqual([0, 1]);
    expect(warnings).toContainEqual(expect.objectContaining({ recordType: 'claims' }));
    proxy.setFault(undefined);
    await expire(store, log);
    expect([await store.claims.countDocuments(), warnings.length]).toEqual([0, 1]);
  });
});

describe('pushes and withdrawals of a user', () => {
  it('are found by an index that FerretDB can use, as it compares equal values only', async () => {
    const { store, commands } = await openMonitoredStore();
    await store.indexed;
    const [userId, subjectId, notificationId, subscriptionId] = [newId(), newId(), newId(), newId()];
    const createdAt = new Date();
    const notification = {
      ...{ _id: notificationId, personId: userId, kind: 'x', actorId: null, resource: 'task', subjectId, title: '' },
      ...{ read: false, readAt: null, createdAt },
      notice: { kind: 'mention', reason: 'mentioned', channels: { app: true, push: true, email: null } },
    } as const;
    await store.notifications.insertMany([notification]);
    const keys = { p256dh: '', auth: '' };
    await store.pushSubscriptions.insertMany([
      { _id: subscriptionId, userId, sessionId: newId(), endpoint: 'x', keys, publicKey: 'x', renewedAt: createdAt },
    ]);
    commands.length = 0;
    await queuePushes(store, { userIds: [userId], subjectId });
    expect(await findDuePushes(store, { limit: 10, excludedIds: [] })).toHaveLength(1);
    expect(await countDuePushes(store)).toBe(1);
    await store.pushes.updateMany({ subscriptionId }, { $set: { state: 'shown' } });
    const deps = {
      store,
      notificationPublisher: {
        publish: async () => void (await queuePushes(store, { userIds: [userId], subjectId })),
      },
    };
    await withdrawNotifications(deps, { eventId: newId(), subjectId, filter: { subjectId } });
    expect((await findDuePushes(store, { limit: 10, excludedIds: [] })).map(({ state }) => state)).toEqual([
      'withdrawing',
    ]);
    await removeSubscriptions(store, { userId });
    expect(await store.pushes.countDocuments({ subscriptionId })).toBe(0);
    expect(commands.flatMap(listQueries).length).toBeGreaterThan(10);
    expect(await listUnindexed(store, commands)).toEqual([]);
  });
});

describe('index creation', () => {
  it('does not block requests while an index takes long to build', async () => {
    const proxy = await startMongoProxy(await testMongo('building'));
    openResources.push(proxy);
    proxy.setFault('no response', (command) => 'createIndexes' in command);
    const store = await openStore(proxy.url);
    await waitFor(() => proxy.failedCount() > 0, { description: 'an index to be built' });
    await store.check();
    await store.claims.insertMany([buildClaim(0)]);
    expect(await store.claims.countDocuments()).toBe(1);
    proxy.setFault(undefined);
  });
});
