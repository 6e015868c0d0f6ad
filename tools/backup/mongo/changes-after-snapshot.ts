import { createHash } from 'node:crypto';
import { envelope } from '@atrium/proto-events/event';
import type { Document } from 'mongodb';
import type { Cut } from '../consistent-snapshot.ts';
import type { Installation } from '../installation/installation.ts';
import { listStreams } from '../jetstream/name-streams.ts';
import { readMessages } from '../jetstream/read-messages.ts';

/** What could not be handled is told of elsewhere; leases say nothing of the past. */
const NO_EVENTS = ['dead', 'leases'];

/** The ids of events that came after the cut: published since, and not waiting for that when it was taken. */
export type EventsSince = {
  has(id: string): boolean;
  /** Hears of all that have been published by now. */
  update(): Promise<void>;
};

export function followEvents(place: Installation, { streams, waiting }: Cut): EventsSince {
  const { prefix } = place;
  const since = new Set<string>();
  const readUpTo = new Map([...streams.values()].map(({ config, state }) => [config.name, state.last_seq]));
  const update = async () => {
    for (const { config, state } of await listStreams(place)) {
      const { name } = config;
      const producer = name.slice(prefix.length + 1);
      if (!name.startsWith(`${prefix}_`) || NO_EVENTS.includes(producer)) continue;
      const { last_seq: to } = state;
      const from = (readUpTo.get(name) ?? 0) + 1;
      for await (const { subject, data } of readMessages(place, name, { from, to })) {
        // An event that an operator replays is an old one.
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

/** The id of the event that a record was made for. */
const eventOf = ({ _id }: Document): string => String(_id).split(':', 1)[0] ?? '';

/** The id of the event by which notifications tell what became of a mail. */
const outcomeOf = ({ _id }: Document): string => createHash('sha256').update(String(_id)).digest('hex').slice(0, 24);

/**
 * A record as it was at the cut; undefined where it was not. What became of a mail is kept as it is known by now, so that none is sent
 * twice, and told once more where that was told after the cut.
 */
export function takeBack(collection: string, record: Document, since: Pick<EventsSince, 'has'>, cut: Date) {
  if (since.has(eventOf(record))) return undefined;
  if (collection === 'notifications' && record.readAt instanceof Date && record.readAt > cut)
    return { ...record, read: false, readAt: null };
  if (collection === 'mails' && record.report === 'done' && since.has(outcomeOf(record)))
    return { ...record, report: 'due' };
  return record;
}
