import { setTimeout as delay } from 'node:timers/promises';
import { type AcknowledgedWrite, idOf, type WriteTracker } from './acknowledged-writes.ts';
import { type CallResult, call } from './call.ts';
import type { SimulationFixture } from './jobs.ts';
import type { Listener } from './listeners.ts';

/** The number of acknowledged writes of each kind, and those that are missing or different. */
export type VerificationResult = Record<string, { acknowledged: number; lost: string[] }>;

type Json = Record<string, unknown>;

const MAX_CONCURRENT_READS = 8;
const RETRY_DELAY_MS = 250;
/** The longest outage of a service. */
const MAX_OUTAGE_MS = 60_000;

/** Reads every write that was acknowledged since a time, by default all, and reports those that are lost. */
export async function findLostWrites(
  base: string,
  fixture: SimulationFixture,
  tracker: WriteTracker,
  since?: number,
): Promise<VerificationResult> {
  const result: VerificationResult = {};
  const tokens = new Map(fixture.workers.map(({ first, token }) => [first, token]));
  const messages = await fetchAllMessages(base, fixture);
  const remaining = tracker.acknowledged(since);
  const check = async (write: AcknowledgedWrite) => {
    const { kind } = write;
    const stored = kind === 'message' ? messages.get(idOf(write)) : await read(base, write, tokens.get(write.who));
    const isStored = Object.entries(write.fields).every(([name, value]) => stored?.[name] === value);
    result[kind] ??= { acknowledged: 0, lost: [] };
    result[kind].acknowledged += 1;
    if (!isStored) result[kind].lost.push(`${write.path} ${JSON.stringify(write.fields)}: ${JSON.stringify(stored)}`);
  };
  const checkRemaining = async () => {
    for (let write = remaining.pop(); write; write = remaining.pop()) await check(write);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_READS }, checkRemaining));
  return result;
}

async function read(base: string, write: AcknowledgedWrite, token: string | undefined): Promise<Json | undefined> {
  const [path = ''] = write.path.split('#');
  const { status, body } = await getUntilAvailable(base, path, token);
  if (status !== 200) return { status, body };
  if (write.kind === 'invitation') return (body as { data: Json[] }).data[0];
  if (write.kind !== 'comment') return body as Json;
  const { comments } = body as { comments: (Json & { _id: string })[] };
  return comments.find(({ _id }) => _id === idOf(write));
}

/** Retries while the service is down or overloaded, because unreadable data is not lost. */
async function getUntilAvailable(base: string, path: string, token: string | undefined): Promise<CallResult> {
  const startedAt = performance.now();
  for (;;) {
    const result = await call(base, { method: 'GET', path, token });
    const isUnavailable = result.status === 0 || result.status === 503;
    if (!isUnavailable || performance.now() - startedAt > MAX_OUTAGE_MS) return result;
    await delay(RETRY_DELAY_MS);
  }
}

async function fetchAllMessages(
  base: string,
  { conversation, workers }: SimulationFixture,
): Promise<Map<string, Json>> {
  const messages = new Map<string, Json>();
  for (let after = 0; ; ) {
    const path = `/chat/messages?conversation=${conversation}&limit=100&after=${after}`;
    const { status, body } = await getUntilAvailable(base, path, workers[0]?.token);
    if (status !== 200) throw new Error(`${path} failed with status ${status}: ${JSON.stringify(body)}`);
    const { data, hasMore } = body as { data: (Json & { _id: string; seq: number })[]; hasMore: boolean };
    for (const message of data) messages.set(message._id, message);
    after = data.at(-1)?.seq ?? after;
    if (!hasMore) return messages;
  }
}

/** Describes acknowledged messages that a listener has not received, and duplicate seqs. */
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
