import { setTimeout as pause } from 'node:timers/promises';
import { type Acknowledged, idOf, type Ledger } from './acknowledged-writes.ts';
import { call, type Heard } from './caller.ts';
import type { Site } from './jobs.ts';
import type { Listener } from './listeners.ts';

/** Of each kind, how much was acknowledged and how much of it is not there as it was. */
export type Account = Record<string, { acknowledged: number; lost: string[] }>;

type Json = Record<string, unknown>;

/** How many things are read at a time. */
const AT_ONCE = 8;
const AGAIN_MS = 250;
/** For how long something may be away. */
const AWAY_MS = 60_000;

/** Reads everything again that was acknowledged, since that moment where one is given. */
export async function findLost(base: string, site: Site, ledger: Ledger, since?: number): Promise<Account> {
  const account: Account = {};
  const tokens = new Map(site.workers.map(({ first, token }) => [first, token]));
  const messages = await everyMessage(base, site);
  const left = ledger.acknowledged(since);
  const check = async (thing: Acknowledged) => {
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
  await Promise.all(Array.from({ length: AT_ONCE }, checkOn));
  return account;
}

async function read(base: string, thing: Acknowledged, token: string | undefined): Promise<Json | undefined> {
  const [path = ''] = thing.path.split('#');
  const { status, body } = await ask(base, path, token);
  if (status !== 200) return { status, body };
  if (thing.kind === 'invitation') return (body as { data: Json[] }).data[0];
  if (thing.kind !== 'comment') return body as Json;
  const { comments } = body as { comments: (Json & { _id: string })[] };
  return comments.find(({ _id }) => _id === idOf(thing));
}

/** What cannot be read right now is not lost: whatever is starting again, or has too much to do, is asked again. */
async function ask(base: string, path: string, token: string | undefined): Promise<Heard> {
  const since = performance.now();
  for (;;) {
    const heard = await call(base, { method: 'GET', path, token });
    const isAway = heard.status === 0 || heard.status === 503;
    if (!isAway || performance.now() - since > AWAY_MS) return heard;
    await pause(AGAIN_MS);
  }
}

async function everyMessage(base: string, { conversation, workers }: Site): Promise<Map<string, Json>> {
  const found = new Map<string, Json>();
  for (let after = 0; ; ) {
    const path = `/chat/messages?conversation=${conversation}&limit=100&after=${after}`;
    const { status, body } = await ask(base, path, workers[0]?.token);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    const { data, hasMore } = body as { data: (Json & { _id: string; seq: number })[]; hasMore: boolean };
    for (const message of data) found.set(message._id, message);
    after = data.at(-1)?.seq ?? after;
    if (!hasMore) return found;
  }
}

/** Messages that were acknowledged and that a socket has not heard, and numbers that came twice. */
export function findUnheard(listeners: readonly Listener[], ledger: Ledger): string[] {
  const sent = ledger.acknowledged().filter(({ kind }) => kind === 'message');
  return listeners.flatMap(({ who, heard }) => {
    const missing = sent.filter((message) => heard.get(idOf(message)) !== message.fields.seq);
    const seqs = new Set(heard.values());
    return [
      ...(missing.length > 0 ? [`${who} has not heard ${missing.length} of ${sent.length} messages`] : []),
      ...(seqs.size < heard.size ? [`${who} has heard ${heard.size} messages with ${seqs.size} numbers`] : []),
    ];
  });
}
