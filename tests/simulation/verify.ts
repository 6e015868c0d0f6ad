import { setTimeout as pause } from 'node:timers/promises';
import { type AcknowledgedWrite, idOf, type WriteTracker } from './acknowledged-writes.ts';
import { type CallResult, call } from './call.ts';
import type { SimulationFixture } from './jobs.ts';
import type { Listener } from './listeners.ts';

/** By kind, the number of acknowledged writes, and those that are missing or different. */
export type VerificationResult = Record<string, { acknowledged: number; lost: string[] }>;

type Json = Record<string, unknown>;

const MAX_CONCURRENT_READS = 8;
const RETRY_DELAY_MS = 250;
/** The longest outage of a service. */
const MAX_OUTAGE_MS = 60_000;

/** Reads all acknowledged writes again, or those since a time. */
export async function findLostWrites(
  base: string,
  site: SimulationFixture,
  tracker: WriteTracker,
  since?: number,
): Promise<VerificationResult> {
  const account: VerificationResult = {};
  const tokens = new Map(site.workers.map(({ first, token }) => [first, token]));
  const messages = await fetchAllMessages(base, site);
  const left = tracker.acknowledged(since);
  const check = async (thing: AcknowledgedWrite) => {
    const { kind } = thing;
    const found = kind === 'message' ? messages.get(idOf(thing)) : await read(base, thing, tokens.get(thing.who));
    const isThere = Object.entries(thing.fields).every(([name, value]) => found?.[name] === value);
    account[kind] ??= { acknowledged: 0, lost: [] };
    account[kind].acknowledged += 1;
    if (!isThere) account[kind].lost.push(`${thing.path} ${JSON.stringify(thing.fields)}: ${JSON.stringify(found)}`);
  };
  const checkOn = async () => {
    for (let thing = left.pop(); thing; thing = left.pop()) await check(thing);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_READS }, checkOn));
  return account;
}

async function read(base: string, thing: AcknowledgedWrite, token: string | undefined): Promise<Json | undefined> {
  const [path = ''] = thing.path.split('#');
  const { status, body } = await ask(base, path, token);
  if (status !== 200) return { status, body };
  if (thing.kind === 'invitation') return (body as { data: Json[] }).data[0];
  if (thing.kind !== 'comment') return body as Json;
  const { comments } = body as { comments: (Json & { _id: string })[] };
  return comments.find(({ _id }) => _id === idOf(thing));
}

/** Retries while the service is down or overloaded: unreadable data is not lost. */
async function ask(base: string, path: string, token: string | undefined): Promise<CallResult> {
  const since = performance.now();
  for (;;) {
    const result = await call(base, { method: 'GET', path, token });
    const isUnavailable = result.status === 0 || result.status === 503;
    if (!isUnavailable || performance.now() - since > MAX_OUTAGE_MS) return result;
    await pause(RETRY_DELAY_MS);
  }
}

async function fetchAllMessages(
  base: string,
  { conversation, workers }: SimulationFixture,
): Promise<Map<string, Json>> {
  const found = new Map<string, Json>();
  for (let after = 0; ; ) {
    const path = `/chat/messages?conversation=${conversation}&limit=100&after=${after}`;
    const { status, body } = await ask(base, path, workers[0]?.token);
    if (status !== 200) throw new Error(`${path} failed with status ${status}: ${JSON.stringify(body)}`);
    const { data, hasMore } = body as { data: (Json & { _id: string; seq: number })[]; hasMore: boolean };
    for (const message of data) found.set(message._id, message);
    after = data.at(-1)?.seq ?? after;
    if (!hasMore) return found;
  }
}

/** Acknowledged messages that a socket has not received, and duplicate seqs. */
export function findUndelivered(listeners: readonly Listener[], tracker: WriteTracker): string[] {
  const sent = tracker.acknowledged().filter(({ kind }) => kind === 'message');
  return listeners.flatMap(({ who, received }) => {
    const missing = sent.filter((message) => received.get(idOf(message)) !== message.fields.seq);
    const seqs = new Set(received.values());
    return [
      ...(missing.length > 0 ? [`${who} has not received ${missing.length} of ${sent.length} messages`] : []),
      ...(seqs.size < received.size ? [`${who} has received ${received.size} messages with ${seqs.size} seqs`] : []),
    ];
  });
}
