import { createHash } from 'node:crypto';
import type { SecurityRecord } from '@atrium/proto-events/events/audit';
import { addressBlock } from './request-origin.ts';

/** Beyond that, denials of one action are merged. */
const MAX_KEYS = 10_000;

const FIELDS = ['userId', 'email', 'address', 'sessionId', 'method', 'route', 'status'] as const;

export type Denial = Omit<SecurityRecord, 'target' | 'count' | 'various'>;

type Window = { timer: NodeJS.Timeout; merged?: SecurityRecord };

/** Denials are of one kind if they have the same action, user, session, address block, email, and endpoint. */
export function createDenialAggregator(windowMs: number, record: (entry: SecurityRecord) => Promise<void>) {
  const windows = new Map<string, Window>();
  const keyOf = (entry: Denial) => {
    const key = digestOf(entry);
    return windows.has(key) || windows.size < MAX_KEYS ? key : entry.action;
  };
  const end = async (key: string) => {
    const window = windows.get(key);
    if (!window) return;
    clearTimeout(window.timer);
    windows.delete(key);
    if (window.merged) await record(window.merged);
  };
  return {
    async add(entry: Denial) {
      const key = keyOf(entry);
      const window = windows.get(key);
      if (window) {
        window.merged = window.merged ? mergeDenials(window.merged, entry) : { ...entry, count: 1 };
        return;
      }
      windows.set(key, { timer: setTimeout(() => void end(key), windowMs).unref() });
      await record(entry);
    },
    close: async () => void (await Promise.all([...windows.keys()].map(end))),
  };
}

/** A digest, since emails and routes can be long. */
function digestOf({ action, userId, sessionId, address, email, method, route, status }: Denial): string {
  const block = address === null ? null : addressBlock(address) || address;
  const facts = JSON.stringify([action, userId, sessionId, block, email, method, route, status]);
  return createHash('sha256').update(facts).digest('base64');
}

/** Contains a value only if all denials have it. Several addresses of one block are recorded as the block. */
function mergeDenials(merged: SecurityRecord, entry: Denial): SecurityRecord {
  const { count = 0, various = [], ...known } = merged;
  const block = commonBlock(known.address, entry.address);
  const result = { ...known, ...(block !== undefined && { address: block }) };
  const expected = { ...entry, ...(block !== undefined && { address: block }) };
  const differing = FIELDS.filter((field) => various.includes(field) || result[field] !== expected[field]);
  for (const field of differing) {
    if (field === 'userId' || field === 'address') result[field] = null;
    else delete result[field];
  }
  return { ...result, count: count + 1, ...(differing.length > 0 && { various: differing }) };
}

function commonBlock(a: string | null, b: string | null): string | undefined {
  if (a === null || b === null || a === b) return undefined;
  const block = addressBlock(b);
  return block !== '' && (a === block || addressBlock(a) === block) ? block : undefined;
}
