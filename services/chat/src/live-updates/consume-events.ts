import { producerOf, subjectOf } from '@atrium/proto-events/event';
import { conversationCreated, conversationUpdated } from '@atrium/proto-events/events/chat';
import { attachmentSettled } from '@atrium/proto-events/events/documents';
import { FANOUT } from '@atrium/proto-events/live-updates/fanout';
import type { LiveUpdate } from '@atrium/proto-events/live-updates/live-update';
import { LIVE_PRODUCERS } from '@atrium/proto-events/nats-users';
import { followEvents } from '@atrium/service-kit/messaging/follow-events';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { withSpan } from '@atrium/service-kit/observability/tracing';
import { retryUntilDone } from '@atrium/service-kit/process/retry';
import type { SaveOutcomes } from '../model/messages/saved-attachments.ts';
import type { ConversationRooms } from '../sockets/conversation-rooms.ts';
import type { ChangeBatcher } from './change-batcher.ts';
import { REPLAY_WINDOW_MS, type ReplayBuffer } from './replay-buffer.ts';

/** Maximum difference between the clocks of NATS and of this machine. */
const MAX_CLOCK_SKEW_MS = 5_000;

const FANOUT_BY_SUBJECT = new Map(FANOUT.map((row) => [subjectOf(row.event), row]));

type ConsumerDeps = {
  messaging: Messaging;
  replayBuffer: ReplayBuffer;
  changeBatcher: ChangeBatcher;
  rooms: Rooms;
  saveOutcomes: Pick<SaveOutcomes, 'settle'>;
  /** Called with updates that the replay buffer includes. */
  onUpdates: (updates: readonly LiveUpdate[]) => void;
  hasSockets: () => boolean;
  log: Logger;
  signal: AbortSignal;
};

type Rooms = Pick<ConversationRooms, 'apply'>;

export type EventConsumer = { close(): Promise<void> };

/** Reads the events of all producers, buffers their live updates, and delivers those to the sockets of this pod. */
export async function consumeEvents(deps: ConsumerDeps): Promise<EventConsumer> {
  const { messaging, replayBuffer, changeBatcher, rooms, saveOutcomes, onUpdates, hasSockets, log, signal } = deps;
  const startedAt = Date.now();
  const start = (producer: string) => retryUntilDone(`events of ${producer}`, () => follow(producer), log, signal);
  const followers = await Promise.all(LIVE_PRODUCERS.map(start));
  return { close: async () => void (await Promise.allSettled(followers.map((follower) => follower.close()))) };

  function follow(producer: string) {
    // Events from before this pod started are only buffered, because other pods have delivered them. Events since then
    // are also delivered, as sockets may have connected before NATS did. In a recreated stream, all events are new.
    let isLive = false;
    let hasBegun = false;
    return followEvents({
      messaging,
      stream: producer,
      subject: `${producer}.>`,
      sinceMs: REPLAY_WINDOW_MS,
      onBegin(position) {
        isLive = hasBegun;
        hasBegun = true;
        replayBuffer.begin(producer, position);
      },
      onEvent({ type, version, data, traceparent: parent, transaction }, position) {
        if (type === attachmentSettled.type) settleSaveOutcome(saveOutcomes, data, log);
        const updates = toUpdates({ type, version }, data, log).map((update) => withTransaction(update, transaction));
        if (updates.length === 0) return;
        applyParticipantsChange(rooms, type, data);
        if (isLive || (hasSockets() && position.at > startedAt - MAX_CLOCK_SKEW_MS))
          withSpan({ name: 'deliver live updates', kind: 'producer', parent }, () =>
            updates.forEach(changeBatcher.add),
          );
        const ageMs = isLive ? 0 : Math.max(0, Date.now() - position.at - MAX_CLOCK_SKEW_MS);
        replayBuffer.add(producer, position, updates, ageMs);
        onUpdates(updates);
      },
      onUpToDate(position) {
        isLive = true;
        replayBuffer.advance(producer, position);
      },
      log,
    });
  }
}

/** Makes sockets of this pod join or leave rooms, even if Redis is down or the pod that made the change crashed. */
function applyParticipantsChange(rooms: Rooms, type: string, data: unknown): void {
  if (type === conversationUpdated.type) void rooms.apply(conversationUpdated.data.parse(data));
  if (type === conversationCreated.type) {
    const { conversationId, participantIds } = conversationCreated.data.parse(data);
    void rooms.apply({ conversationId, addedIds: participantIds, removedIds: [] });
  }
}

const withTransaction = ({ audience, change }: LiveUpdate, transaction: string | undefined): LiveUpdate => ({
  audience,
  change: { ...change, ...(transaction !== undefined && { transaction }) },
});

/** Must not throw, because that would end the consumer. */
function settleSaveOutcome(saveOutcomes: ConsumerDeps['saveOutcomes'], data: unknown, log: Logger): void {
  const outcome = attachmentSettled.data.safeParse(data);
  if (outcome.success) saveOutcomes.settle(outcome.data);
  else
    log.error(
      { err: outcome.error, event: attachmentSettled.type },
      'Failed to parse the outcome of a saved attachment',
    );
}

function toUpdates(event: { type: string; version: number }, data: unknown, log: Logger): readonly LiveUpdate[] {
  try {
    return FANOUT_BY_SUBJECT.get(subjectOf(event))?.toUpdates(data) ?? [];
  } catch (error) {
    log.error({ err: error, event: event.type, producer: producerOf(event) }, 'Failed to map an event to live updates');
    return [];
  }
}
