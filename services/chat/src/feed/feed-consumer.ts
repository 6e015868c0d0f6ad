import { producerOf, subjectOf } from '@atrium/proto-events/event';
import { conversationCreated, conversationUpdated } from '@atrium/proto-events/events/chat';
import { attachmentSettled } from '@atrium/proto-events/events/documents';
import { FEED_PRODUCERS } from '@atrium/proto-events/nats-users';
import { followEvents } from '@atrium/service-kit/messaging/follow-events';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { inSpan } from '@atrium/service-kit/observability/tracing';
import { retryUntilDone } from '@atrium/service-kit/process/retry';
import type { SaveOutcomes } from '../attachments/save-outcomes.ts';
import type { MembershipRooms } from '../realtime/membership/membership-rooms.ts';
import type { ChangeBatcher } from './change-batcher.ts';
import type { LiveUpdate } from './change-mappers/live-update.ts';
import { FANOUT } from './fanout.ts';
import { REPLAY_WINDOW_MS, type ReplayBuffer } from './replay-buffer.ts';

/** So far the clocks of NATS and of this machine may be apart. */
const CLOCKS_MS = 5_000;

const ROWS = new Map(FANOUT.map((row) => [subjectOf(row.event), row]));

type Parts = {
  messaging: Messaging;
  liveLog: ReplayBuffer;
  changes: ChangeBatcher;
  rooms: Rooms;
  saves: Pick<SaveOutcomes, 'settle'>;
  hasSockets: () => boolean;
  log: Logger;
  signal: AbortSignal;
};

type Rooms = Pick<MembershipRooms, 'hear'>;

type Feed = { close(): Promise<void> };

/** Has this pod hear every event, tell its own sockets, and keep what it told. Resolves once it knows the last hour. */
export async function consumeFeed(parts: Parts): Promise<Feed> {
  const { messaging, liveLog, changes, rooms, saves, hasSockets, log, signal } = parts;
  const begunAt = Date.now();
  const begin = (producer: string) => retryUntilDone(`news of ${producer}`, () => feed(producer), log, signal);
  const feeds = await Promise.all(FEED_PRODUCERS.map(begin));
  return { close: async () => void (await Promise.allSettled(feeds.map((one) => one.close()))) };

  function feed(producer: string) {
    // What was there at the start has been told by the pods of then, and is answered to who comes back. What was published since is news
    // where somebody was here before NATS was. A stream that was made anew has nothing but news.
    let isNews = false;
    let hasBegun = false;
    return followEvents({
      messaging,
      stream: producer,
      subject: `${producer}.>`,
      sinceMs: REPLAY_WINDOW_MS,
      onBegin(place) {
        isNews = hasBegun;
        hasBegun = true;
        liveLog.begin(producer, place);
      },
      onEvent({ type, version, data, traceparent: parent }, place) {
        if (type === attachmentSettled.type) settleSave(saves, data, log);
        const told = toldOf({ type, version }, data, log);
        if (told.length === 0) return;
        if (hasSockets()) moveSockets(rooms, type, data);
        liveLog.add(producer, place, told, isNews ? 0 : Math.max(0, Date.now() - place.at - CLOCKS_MS));
        if (isNews || (hasSockets() && place.at > begunAt - CLOCKS_MS))
          inSpan({ name: 'deliver changed', kind: 'producer', parent }, () => told.forEach(changes.tell));
      },
      onCaughtUp(place) {
        isNews = true;
        liveLog.reach(producer, place);
      },
      log,
    });
  }
}

/** Applies a change of membership to this pod, before it is announced and whatever the state of Redis. */
function moveSockets(rooms: Rooms, type: string, data: unknown): void {
  if (type === conversationUpdated.type) rooms.hear(conversationUpdated.data.parse(data));
  if (type === conversationCreated.type) {
    const { conversationId, participantIds } = conversationCreated.data.parse(data);
    rooms.hear({ conversationId, addedIds: participantIds, removedIds: [] });
  }
}

/** An event that this release cannot read must not end the feed. */
function settleSave(saves: Parts['saves'], data: unknown, log: Logger): void {
  const outcome = attachmentSettled.data.safeParse(data);
  if (outcome.success) saves.settle(outcome.data);
  else log.error({ err: outcome.error, event: attachmentSettled.type }, 'outcome of a saved attachment not readable');
}

/** Nothing for an event of which no browser hears, or of which a later release says something that this one cannot read. */
function toldOf(event: { type: string; version: number }, data: unknown, log: Logger): readonly LiveUpdate[] {
  try {
    const row = ROWS.get(subjectOf(event));
    return row ? [row.toUpdate(data), ...row.toAdditionalUpdates(data)] : [];
  } catch (error) {
    log.error({ err: error, event: event.type, producer: producerOf(event) }, 'browsers were not told of an event');
    return [];
  }
}
