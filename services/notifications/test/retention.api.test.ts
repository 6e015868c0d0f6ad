import { createLogger } from '@atrium/service-kit/observability/logger';
import { newId } from '@atrium/service-kit/process/new-id';
import { testMongo } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { expireRecords } from '../src/store/expire-records.ts';
import { createStore, type Store } from '../src/store/store.ts';
import { startMongoProxy } from './mongo-proxy.ts';

const DAY = 24 * 60 * 60_000;
const quiet = createLogger('test', 'silent');
const never = new AbortController().signal;
const ago = (days: number) => new Date(Date.now() - days * DAY);

const open = closeAfterEach();

async function openStore(url: string): Promise<Store> {
  const store = createStore(url, quiet);
  open.push(store);
  await store.connected;
  return store;
}

async function openMonitoredStore() {
  const url = new URL(await testMongo('ageing'));
  url.searchParams.set('monitorCommands', 'true');
  const store = await openStore(url.href);
  const commands: Record<string, unknown>[] = [];
  store.claims.db.getClient().on('commandStarted', ({ command }) => commands.push(command));
  return { store, commands };
}

const buildClaim = (days: number) => ({ _id: newId(), at: ago(days) });
const buildCalendarPart = (days: number) => ({
  ...{ _id: newId(), of: 'calendar' as const, occurrences: [], excludedStarts: [] },
  at: ago(days),
});

function collectWarnings() {
  const warnings: unknown[] = [];
  const log = Object.assign(createLogger('test', 'silent'), { warn: (facts: unknown) => void warnings.push(facts) });
  return { warnings, log };
}

describe('record expiry', () => {
  it('deletes all expired records in batches, and nothing else', async () => {
    const { store, commands } = await openMonitoredStore();
    const young = [buildClaim(13), buildClaim(1)];
    await store.claims.insertMany([...Array.from({ length: 2_100 }, () => buildClaim(32)), ...young]);
    await expireRecords(store, quiet, never);
    const left = await store.claims.find().lean();
    expect(left.map(({ _id }) => _id).sort()).toEqual(young.map(({ _id }) => _id).sort());
    const batches = commands.filter((command) => command.delete === 'claims');
    expect(batches).toHaveLength(3);
    const idsOf = ({ deletes }: Record<string, unknown>) =>
      (deletes as [{ q: { _id: { $in: string[] } } }])[0].q._id.$in;
    expect(batches.map((portion) => idsOf(portion).length)).toEqual([1_000, 1_000, 100]);
  });

  it('keeps email contents for as long as a meeting email can stay queued', async () => {
    const { store } = await openMonitoredStore();
    const noReplyOrCalendar = { replyTo: null, calendarMethod: null, calendar: null };
    const contentOf = (days: number) => ({
      ...{ _id: `${days} days`, content: { template: 'meeting' }, ...noReplyOrCalendar },
      createdAt: ago(days),
    });
    await store.mailings.insertMany([contentOf(30), contentOf(32)]);
    await expireRecords(store, quiet, never);
    expect(await store.mailings.distinct('_id')).toEqual(['30 days']);
  });

  it('finds expired records of each kind by an index', async () => {
    const { store, commands } = await openMonitoredStore();
    await store.indexed;
    await expireRecords(store, quiet, never);
    const searches = commands.filter((command) => 'find' in command);
    expect(searches).toHaveLength(9);
    for (const { find, filter } of searches) {
      const fields = Object.keys(filter as object).sort();
      const indexes = await store.claims.db.collection(String(find)).listIndexes().toArray();
      const leading = indexes.map(({ key }) =>
        Object.keys(key as object)
          .slice(0, fields.length)
          .sort(),
      );
      expect([find, leading]).toEqual([find, expect.arrayContaining([fields])]);
    }
  });

  it('continues with the other collections when one fails, and logs its name', async () => {
    const proxy = await startMongoProxy(await testMongo('ageing'));
    open.push(proxy);
    const store = await openStore(proxy.url);
    await store.claims.insertMany([buildClaim(32)]);
    await store.calendarParts.insertMany([buildCalendarPart(100)]);
    const { warnings, log } = collectWarnings();
    proxy.setFault('error 1', ({ find }) => find === 'claims');
    await expireRecords(store, log, never);
    expect([await store.calendarParts.countDocuments(), warnings.length]).toEqual([0, 1]);
    expect(warnings).toContainEqual(expect.objectContaining({ recordType: 'claims' }));
    proxy.setFault(undefined);
    await expireRecords(store, log, never);
    expect([await store.claims.countDocuments(), warnings.length]).toEqual([0, 1]);
  });
});

describe('index creation', () => {
  it('does not block requests while an index takes long to build', async () => {
    const proxy = await startMongoProxy(await testMongo('building'));
    open.push(proxy);
    proxy.setFault('no response', (command) => 'createIndexes' in command);
    const store = await openStore(proxy.url);
    await waitFor(() => proxy.refused() > 0, { what: 'an index to be built' });
    await store.check();
    await store.claims.insertMany([buildClaim(0)]);
    expect(await store.claims.countDocuments()).toBe(1);
    proxy.setFault(undefined);
  });
});
