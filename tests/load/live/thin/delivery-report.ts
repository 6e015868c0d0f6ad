import type { ScreenName } from '../screens.ts';
import { collectCountsLatencies } from './counts-latency.ts';
import type { ReceivedChange } from './frames.ts';
import type { Receipts } from './receipts.ts';
import type { OpenGroup, ThinClients } from './thin-clients.ts';
import type { Counts, WrittenChange } from './written-change.ts';

export type Latencies = { count: number; p50: number; p95: number; max: number };
export type DeliveryReport = {
  latencies: Record<string, Latencies>;
  /** Keys of changes that no client received, although clients show them. */
  unreceived: string[];
  /** Pairs of a client and a change that another member of its group received. */
  missing: { count: number; examples: string[] };
  unreadChats: number;
  receivedCount: number;
};

const SCREENS: readonly ScreenName[] = ['dashboard', 'tracker', 'board', 'chat'];

export type DeliveryInput = {
  writes: readonly WrittenChange[];
  /** The numbers of projects before the writes. */
  initialCounts: Counts;
  /** What the browser of each group received. */
  engineChanges: readonly (readonly ReceivedChange[])[];
};

export function reportDelivery(
  { groups, receipts }: Pick<ThinClients, 'groups' | 'receipts'>,
  { writes, initialCounts, engineChanges }: DeliveryInput,
): DeliveryReport {
  const { byName, unreceived } = collectLatencies(receipts, writes);
  const updates = receipts.all().filter(({ change }) => change.counts !== undefined);
  const counts = collectCountsLatencies(updates, writes, initialCounts);
  byName['counts of projects'] = counts.latencies;
  const missing = groups.flatMap((group, index) => findMissing(group, receipts, engineChanges[index] ?? []));
  return {
    latencies: Object.fromEntries(Object.entries(byName).map(([name, values]) => [name, summarize(values)])),
    unreceived: [...unreceived, ...counts.unreceived],
    missing: { count: missing.length, examples: missing.slice(0, 5) },
    unreadChats: groups.flatMap(({ clients }) => clients).filter((client) => client.unread() > 0).length,
    receivedCount: receipts.all().length,
  };
}

function summarize(values: number[]): Latencies {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: sorted.at(-1) ?? Number.NaN };
}

/** A change that was merged into a later one of the same resource, or into its deletion, was received with that. */
function collectLatencies(receipts: Receipts, writes: readonly WrittenChange[]) {
  const byName: Record<string, number[]> = {};
  const unreceived: string[] = [];
  const byResource = Map.groupBy(receipts.all(), ({ change }) => change.resource);
  const add = (name: string, at: number, receivedAt: readonly number[]) => {
    byName[name] ??= [];
    for (const time of receivedAt) byName[name].push(time - at);
  };
  for (const { resource, version, key, at } of writes) {
    const own = receipts.find(key);
    const later = (byResource.get(resource) ?? [])
      .filter(({ change }) => !change.isFinal && change.version >= version)
      .sort((a, b) => a.change.version - b.change.version);
    const deletion = receipts.find(`${resource}:deleted`);
    const candidates = [own, ...later, deletion].filter((receipt) => receipt !== undefined);
    if (candidates.length === 0) unreceived.push(key);
    for (const screen of SCREENS) {
      const receivedAt = candidates.map(({ times }) => times[screen]).find((received) => received !== undefined);
      if (receivedAt) add(screen, at, receivedAt);
      if (receivedAt) add(resource.split(':')[0] ?? '', at, receivedAt);
    }
  }
  return { byName, unreceived };
}

/** Each member must have received the latest change of each resource, and each creation, deletion, and message. */
function findMissing({ clients, tags }: OpenGroup, receipts: Receipts, engine: readonly ReceivedChange[]): string[] {
  const isShared = ({ isPrivate, tags: changeTags }: ReceivedChange) =>
    !isPrivate && changeTags.some((tag) => tags.has(tag));
  const received = receipts.all().filter(({ change }) => isShared(change) && clients.some(hasReceived(change.key)));
  const shared: ReceivedChange[] = [...received.map(({ change }) => change), ...engine.filter(isShared)];
  const latest = new Map<string, ReceivedChange>();
  for (const change of shared) {
    const name = change.isFinal ? change.key : change.resource;
    if (change.version >= (latest.get(name)?.version ?? 0)) latest.set(name, change);
  }
  return [...latest.values()].flatMap(({ key }) =>
    clients.filter((client) => !hasReceived(key)(client)).map(({ screen }) => `${key} on a ${screen.name}`),
  );

  function hasReceived(key: string) {
    return ({ index }: { index: number }) => receipts.has(index, key);
  }
}
