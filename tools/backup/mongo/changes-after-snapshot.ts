import { createHash } from 'node:crypto';
import { envelope } from '@atrium/proto-events/event';
import type { Document } from 'mongodb';
import type { ConsistentSnapshot } from '../consistent-snapshot.ts';
import type { Installation } from '../installation/installation.ts';
import { listStreams } from '../jetstream/name-streams.ts';
import { readMessages } from '../jetstream/read-messages.ts';

const NO_EVENTS = ['dead'];

/** Events published after the snapshot that were not in an outbox when it was taken. */
type EventsSince = {
  has(id: string): boolean;
  update(): Promise<void>;
};

export function followEvents(installation: Installation, { streams, waiting }: ConsistentSnapshot): EventsSince {
  const { prefix } = installation;
  const since = new Set<string>();
  const readUpTo = new Map([...streams.values()].map(({ config, state }) => [config.name, state.last_seq]));
  const update = async () => {
    for (const { config, state } of await listStreams(installation)) {
      const { name } = config;
      const producer = name.slice(prefix.length + 1);
      if (!name.startsWith(`${prefix}_`) || NO_EVENTS.includes(producer)) continue;
      const { last_seq: to } = state;
      const from = (readUpTo.get(name) ?? 0) + 1;
      for await (const { subject, data } of readMessages(installation, name, { from, to })) {
        // A replayed event is an old one.
        if (subject.startsWith(`${prefix}.${producer}.replay.`)) continue;
        const { data: event } = envelope.safeParse(jsonIn(data));
        if (event && !waiting.has(event.id)) since.add(event.id);
      }
      readUpTo.set(name, to);
    }
  };
  return { has: (id) => since.has(id), update };
}

const jsonIn = (data: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(data).toString('utf8'));
  } catch {
    return undefined;
  }
};

const eventOf = ({ _id }: Document): string => String(_id).split(':', 1)[0] ?? '';

/** The id of the event with which notifications reports the outcome of an email. */
const outcomeOf = ({ _id }: Document): string => createHash('sha256').update(String(_id)).digest('hex').slice(0, 24);

/**
 * Undefined if the record did not exist. The outcome of an email stays as known now, so that none is sent twice,
 * and is reported again if it was reported after the snapshot.
 */
export function revertToSnapshot(collection: string, record: Document, since: Pick<EventsSince, 'has'>, cut: Date) {
  if (since.has(eventOf(record))) return undefined;
  if (collection === 'notifications' && record.readAt instanceof Date && record.readAt > cut)
    return { ...record, read: false, readAt: null };
  if (collection === 'mails' && record.report === 'done' && since.has(outcomeOf(record)))
    return { ...record, report: 'due' };
  return record;
}
