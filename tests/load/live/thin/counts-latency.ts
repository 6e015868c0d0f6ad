import type { Receipt } from './receipts.ts';
import { COUNTED_STATUSES, type Counts, type WrittenChange } from './written-change.ts';

const FIELDS = Object.values(COUNTED_STATUSES);
const toKey = (counts: Counts) => FIELDS.map((field) => counts[field]).join();

/**
 * Finds for each write the first counts that include it. Counts name no write, so the writes are added up in the order of
 * their responses.
 */
export function collectCountsLatencies(updates: readonly Receipt[], writes: readonly WrittenChange[], initial: Counts) {
  const counted = writes
    .flatMap(({ counts, ...write }) => (counts ? [{ ...write, counts }] : []))
    .sort((a, b) => a.respondedAt - b.respondedAt);
  const keys: string[] = [];
  let current = initial;
  for (const { counts } of counted) {
    current = Object.fromEntries(FIELDS.map((field) => [field, (current[field] ?? 0) + (counts[field] ?? 0)]));
    keys.push(toKey(current));
  }
  const latencies: number[] = [];
  let next = 0;
  for (const { change, times } of updates) {
    const receivedAt = Object.values(times).flat();
    const firstAt = receivedAt[0] ?? 0;
    const key = toKey(change.counts ?? {});
    const last = keys.findLastIndex(
      (counts, index) => index >= next && counts === key && (counted[index]?.at ?? firstAt) < firstAt,
    );
    for (; next <= last; next += 1) for (const at of receivedAt) latencies.push(at - (counted[next]?.at ?? at));
  }
  return { latencies, unreceived: counted.slice(next).map((write) => `counts after ${write.key}`) };
}
