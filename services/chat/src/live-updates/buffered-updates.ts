import type { LiveUpdate } from '@atrium/proto-events/live-updates/live-update';
import type { Change } from '@atrium/proto-events/realtime';
import { createAudienceCache } from './audience-cache.ts';
import { isLater, resourceKey } from './merge-changes.ts';

/** Estimated memory: each change as JSON, a constant per entry, and each distinct list of users once. */
const MAX_BYTES = 64 * 1024 * 1024;
const ENTRY_BYTES = 640;

/** Its users are the joined ids, as in the audience cache. */
export type BufferedUpdate = LiveUpdate<string>;

/** `seq` is that of the producer's stream. */
type Source = { producer: string; seq: number; receivedAt: number };

export type Entry = Source & {
  /** Of arrival, across producers. */
  order: number;
  update: BufferedUpdate;
  /** Bytes of the change as JSON. */
  length: number;
  /** Whether its item was dropped, because the latest change of the resource has the current one. */
  isSuperseded: boolean;
};

type BufferedUpdates = {
  add(source: Source, update: LiveUpdate): void;
  /** Evicts at least an eighth of the entries or none, because removing from the front moves all others. */
  evictExpired(maxReceivedAt: number): void;
  evictProducer(producer: string): void;
  listAfter(producer: string, seq: number): Entry[];
  listSince(minReceivedAt: number): Entry[];
  findLatest(entry: Entry): Entry | undefined;
};

/** Limits the memory of the updates by evicting the oldest. */
export function createBufferedUpdates(onEvict: (source: Source) => void): BufferedUpdates {
  let entries: Entry[] = [];
  const byProducer = new Map<string, Entry[]>();
  /** The latest entry of each resource whose changes are for everyone. */
  const latestByKey = new Map<string, Entry>();
  const audiences = createAudienceCache();
  let order = 0;
  let length = 0;
  const isFull = () => entries.length * ENTRY_BYTES + length + audiences.bytes() > MAX_BYTES;
  const evict = (evictedEntries: readonly Entry[]) => {
    for (const entry of evictedEntries) {
      audiences.release(entry.update.audience);
      length -= entry.length;
      const key = resourceKey(entry.update.change);
      if (latestByKey.get(key) === entry) latestByKey.delete(key);
      onEvict(entry);
    }
    for (const [producer, producerEntries] of Map.groupBy(evictedEntries, (entry) => entry.producer))
      byProducer.get(producer)?.splice(0, producerEntries.length);
  };
  const setChange = (entry: Entry, change: Change) => {
    length -= entry.length;
    entry.update = { ...entry.update, change };
    entry.length = Buffer.byteLength(JSON.stringify(change));
    length += entry.length;
  };
  const supersede = (previous: Entry) => {
    const { change } = previous.update;
    if (!change.item) return;
    previous.isSuperseded = true;
    setChange(previous, withoutItem(change));
  };
  const trackLatest = (entry: Entry) => {
    const { audience, change } = entry.update;
    const previous = latestByKey.get(resourceKey(change));
    if (audience !== 'everyone' || (previous && !isLater(change, previous.update.change))) return;
    latestByKey.set(resourceKey(change), entry);
    if (previous) supersede(previous);
  };
  const isDeleted = ({ action, tags }: Change) =>
    action === 'deleted' ||
    tags.some((tag) => isTasksTag(tag) && latestByKey.get(toProjectKey(tag))?.update.change.action === 'deleted');
  /** The tasks of a deleted project have no events of their own. */
  const dropTasks = ({ resource, action, id }: Change) => {
    if (resource !== 'project' || action !== 'deleted') return;
    for (const entry of entries) {
      const { change } = entry.update;
      if (change.item && change.tags.includes(`tasks-in:${id}`)) setChange(entry, withoutItem(change));
    }
  };
  return {
    add(source, { audience, change }) {
      const update = { audience: audiences.intern(audience), change };
      const entry = { ...source, order: ++order, update, length: 0, isSuperseded: false };
      // Deleted content is not replayed.
      setChange(entry, isDeleted(change) ? withoutItem(change) : change);
      dropTasks(change);
      trackLatest(entry);
      entries.push(entry);
      const producerEntries = byProducer.get(source.producer);
      if (producerEntries) producerEntries.push(entry);
      else byProducer.set(source.producer, [entry]);
      while (isFull() && entries.length > 0) evict(entries.splice(0, Math.ceil(entries.length / 8)));
    },
    evictExpired(maxReceivedAt) {
      const firstFreshIndex = entries.findIndex(({ receivedAt }) => receivedAt > maxReceivedAt);
      const expiredCount = firstFreshIndex < 0 ? entries.length : firstFreshIndex;
      if (expiredCount > entries.length / 8) evict(entries.splice(0, expiredCount));
    },
    evictProducer(producer) {
      const evictedEntries = byProducer.get(producer)?.slice() ?? [];
      if (evictedEntries.length > 0) entries = entries.filter((entry) => entry.producer !== producer);
      evict(evictedEntries);
    },
    listAfter(producer, seq) {
      const producerEntries = byProducer.get(producer) ?? [];
      return producerEntries.slice(findIndexAfter(producerEntries, seq));
    },
    listSince: (minReceivedAt) => entries.filter(({ receivedAt }) => receivedAt >= minReceivedAt),
    findLatest: ({ update }) => latestByKey.get(resourceKey(update.change)),
  };
}

const TASKS = 'tasks-in:';
const isTasksTag = (tag: string) => tag.startsWith(TASKS);
const toProjectKey = (tag: string) => `project:${tag.slice(TASKS.length)}`;

const withoutItem = ({ item: _item, ...change }: Change): Change => change;

/** Entries of a producer are in the order of their sequences. */
function findIndexAfter(sorted: readonly Entry[], seq: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle]?.seq ?? 0) > seq) to = middle;
    else from = middle + 1;
  }
  return from;
}
