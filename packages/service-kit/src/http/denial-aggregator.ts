import { createHash } from 'node:crypto';
import type { SecurityRecord } from '@atrium/proto-events/security-record';
import { addressBlock } from './client-info.ts';

/** Maximum number of kinds in a window. Beyond that, all denials of one action are merged. */
const MAX_KEYS = 10_000;

const MERGED_FIELDS = ['userId', 'email', 'address', 'sessionId', 'method', 'route', 'status'] as const;

export type Denial = Omit<SecurityRecord, 'target' | 'count' | 'various'>;

type Window = { timer: NodeJS.Timeout; merged?: SecurityRecord };

/**
 * Records the first denial of a kind immediately, and those that follow in the same window as one record with a count.
 * Denials are of one kind if they have the same action, user, session, address block, email, and endpoint.
 */
export function createDenialAggregator(windowMs: number, record: (entry: SecurityRecord) => Promise<void>) {
  const windows = new Map<string, Window>();
  const getKey = (entry: Denial) => {
    const key = computeDigest(entry);
    return windows.has(key) || windows.size < MAX_KEYS ? key : entry.action;
  };
  const closeWindow = async (key: string) => {
    const window = windows.get(key);
    if (!window) return;
    clearTimeout(window.timer);
    windows.delete(key);
    if (window.merged) await record(window.merged);
  };
  return {
    async add(entry: Denial) {
      const key = getKey(entry);
      const window = windows.get(key);
      if (window) {
        window.merged = window.merged ? mergeDenials(window.merged, entry) : { ...entry, count: 1 };
        return;
      }
      windows.set(key, { timer: setTimeout(() => void closeWindow(key), windowMs).unref() });
      await record(entry);
    },
    close: async () => void (await Promise.all([...windows.keys()].map(closeWindow))),
  };
}

/** Uses a digest as the key, since emails and routes can be long. */
function computeDigest({ action, userId, sessionId, address, email, method, route, status }: Denial): string {
  const block = address === null ? null : addressBlock(address) || address;
  const identity = JSON.stringify([action, userId, sessionId, block, email, method, route, status]);
  return createHash('sha256').update(identity).digest('base64');
}

/** Keeps a value only if all denials have it. Several addresses of one block are recorded as the block. */
function mergeDenials(merged: SecurityRecord, entry: Denial): SecurityRecord {
  const { count = 0, various = [], ...mergedFields } = merged;
  const block = findCommonBlock(mergedFields.address, entry.address);
  const result = { ...mergedFields, ...(block !== undefined && { address: block }) };
  const expected = { ...entry, ...(block !== undefined && { address: block }) };
  const differingFields = MERGED_FIELDS.filter((field) => various.includes(field) || result[field] !== expected[field]);
  for (const field of differingFields) {
    if (field === 'userId' || field === 'address') result[field] = null;
    else delete result[field];
  }
  return { ...result, count: count + 1, ...(differingFields.length > 0 && { various: differingFields }) };
}

function findCommonBlock(a: string | null, b: string | null): string | undefined {
  if (a === null || b === null || a === b) return undefined;
  const block = addressBlock(b);
  return block !== '' && (a === block || addressBlock(a) === block) ? block : undefined;
}
