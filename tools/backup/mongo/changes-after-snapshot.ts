import { envelope } from '@atrium/proto-events/event';
import { outcomeEventId, toEventKey } from '@atrium/service-kit/process/notification-ids';
import type { Document } from 'mongodb';
import type { ConsistentSnapshot } from '../consistent-snapshot.ts';
import type { Installation } from '../installation/installation.ts';
import { listStreams } from '../jetstream/list-streams.ts';
import { readMessages } from '../jetstream/read-messages.ts';

const STREAMS_WITHOUT_EVENTS = ['dead'];

/** Events published after the snapshot that were not in an outbox when it was taken. */
type LaterEvents = {
  has(id: string): boolean;
  /** `key` is that of an event in a notification. */
  hasKey(key: string): boolean;
  update(): Promise<void>;
};

export function followEventsAfterSnapshot(
  installation: Installation,
  { streams, pendingEventIds }: ConsistentSnapshot,
): LaterEvents {
  const { prefix } = installation;
  const eventIds = new Set<string>();
  const eventKeys = new Set<string>();
  const readUpTo = new Map([...streams.values()].map(({ config, state }) => [config.name, state.last_seq]));
  const update = async () => {
    for (const { config, state } of await listStreams(installation)) {
      const { name } = config;
      const producer = name.slice(prefix.length + 1);
      if (!name.startsWith(`${prefix}_`) || STREAMS_WITHOUT_EVENTS.includes(producer)) continue;
      const { last_seq: to } = state;
      const from = (readUpTo.get(name) ?? 0) + 1;
      for await (const { subject, data } of readMessages(installation, name, { from, to })) {
        // A replayed event was first published before the snapshot, or is read from its own subject.
        if (subject.startsWith(`${prefix}.${producer}.replay.`)) continue;
        const { data: event } = envelope.safeParse(parseJson(data));
        if (!event || pendingEventIds.has(event.id)) continue;
        eventIds.add(event.id);
        eventKeys.add(toEventKey(event.id));
      }
      readUpTo.set(name, to);
    }
  };
  return { has: (id) => eventIds.has(id), hasKey: (key) => eventKeys.has(key), update };
}

const parseJson = (data: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(data).toString('utf8'));
  } catch {
    return undefined;
  }
};

const getEventId = ({ _id }: Document): string => String(_id).split(':', 1)[0] ?? '';

/**
 * Returns the record as it was at the snapshot, or undefined if it did not exist. The outcome of an email is not
 * reverted, so that none is sent twice, but is reported again if it was reported after the snapshot.
 */
export function revertToSnapshot(
  collection: string,
  record: Document,
  laterEvents: Pick<LaterEvents, 'has' | 'hasKey'>,
  snapshotTime: Date,
) {
  if (collection === 'notifications') return revertNotification(record, laterEvents, snapshotTime);
  if (laterEvents.has(getEventId(record))) return undefined;
  if (collection === 'mails' && record.report === 'done') {
    const email = { _id: String(record._id), state: String(record.state) };
    if (laterEvents.has(outcomeEventId(email))) return { ...record, report: 'due' };
  }
  return record;
}

/** One that stands for several events keeps those from before the snapshot, with its latest text. */
function revertNotification(record: Document, laterEvents: Pick<LaterEvents, 'hasKey'>, snapshotTime: Date) {
  const keys = (record.eventKeys as string[] | undefined) ?? [];
  const eventKeys = keys.filter((key) => !laterEvents.hasKey(key));
  if (keys.length > 0 && eventKeys.length === 0) return undefined;
  const isReadLater = record.readAt instanceof Date && record.readAt > snapshotTime;
  return { ...record, eventKeys, ...(isReadLater && { read: false, readAt: null }) };
}
