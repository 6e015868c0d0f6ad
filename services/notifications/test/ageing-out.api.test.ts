import { createLogger } from '@atrium/service-kit/observability/logger';
import { newId } from '@atrium/service-kit/process/new-id';
import { testMongo } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { ageOut } from '../src/store/expire-records.ts';
import { createStore, type Store } from '../src/store/store.ts';
import { startMongoFront } from './mongo-proxy.ts';

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

/** What a store is asked, command by command. */
async function openHeardStore() {
  const url = new URL(await testMongo('ageing'));
  url.searchParams.set('monitorCommands', 'true');
  const store = await openStore(url.href);
  const heard: Record<string, unknown>[] = [];
  store.claims.db.getClient().on('commandStarted', ({ command }) => heard.push(command));
  return { store, heard };
}

const aClaim = (days: number) => ({ _id: newId(), at: ago(days) });
const aCalendarPart = (days: number) => ({
  ...{ _id: newId(), of: 'calendar' as const, occurrences: [], excludedStarts: [] },
  at: ago(days),
});

/** A log that a test can read. */
function hearWarnings() {
  const told: unknown[] = [];
  const log = Object.assign(createLogger('test', 'silent'), { warn: (facts: unknown) => void told.push(facts) });
  return { told, log };
}

describe('what has had its time', () => {
  it('is removed in portions, until none of it is left, and nothing else', async () => {
    const { store, heard } = await openHeardStore();
    const young = [aClaim(13), aClaim(1)];
    await store.claims.insertMany([...Array.from({ length: 2_100 }, () => aClaim(15)), ...young]);
    await ageOut(store, quiet, never);
    const left = await store.claims.find().lean();
    expect(left.map(({ _id }) => _id).sort()).toEqual(young.map(({ _id }) => _id).sort());
    const portions = heard.filter((command) => command.delete === 'claims');
    expect(portions).toHaveLength(3);
    const idsOf = ({ deletes }: Record<string, unknown>) =>
      (deletes as [{ q: { _id: { $in: string[] } } }])[0].q._id.$in;
    expect(portions.map((portion) => idsOf(portion).length)).toEqual([1_000, 1_000, 100]);
  });

  it('is found by an index, each kind of it', async () => {
    const { store, heard } = await openHeardStore();
    await store.indexed;
    await ageOut(store, quiet, never);
    const searches = heard.filter((command) => 'find' in command);
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

  it('goes also where one collection cannot be asked, which is told by its name', async () => {
    const front = await startMongoFront(await testMongo('ageing'));
    open.push(front);
    const store = await openStore(front.url);
    await store.claims.insertMany([aClaim(15)]);
    await store.calendarParts.insertMany([aCalendarPart(100)]);
    const { told, log } = hearWarnings();
    front.make('answers 1', ({ find }) => find === 'claims');
    await ageOut(store, log, never);
    expect([await store.calendarParts.countDocuments(), told.length]).toEqual([0, 1]);
    expect(told).toContainEqual(expect.objectContaining({ what: 'claims' }));
    front.make(undefined);
    await ageOut(store, log, never);
    expect([await store.claims.countDocuments(), told.length]).toEqual([0, 1]);
  });
});

describe('indexes that take long to build', () => {
  it('keep nobody waiting', async () => {
    const front = await startMongoFront(await testMongo('building'));
    open.push(front);
    front.make('is silent', (command) => 'createIndexes' in command);
    const store = await openStore(front.url);
    await waitFor(() => front.refused() > 0, { what: 'an index to be built' });
    await store.check();
    await store.claims.insertMany([aClaim(0)]);
    expect(await store.claims.countDocuments()).toBe(1);
    front.make(undefined);
  });
});
