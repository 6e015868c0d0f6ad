import { producerOf } from '@atrium/proto-events/event';
import * as chat from '@atrium/proto-events/events/chat';
import { on, type Reaction, type Subscription, subscription } from '@atrium/service-kit/messaging/subscription';
import { inSpan } from '@atrium/service-kit/observe/tracing';
import type { LiveNamespace } from '../sockets/socket-server.ts';
import { FANOUT, type FanoutRow } from './fanout.ts';
import { createLiveChanges, type LiveChanges } from './live-changes.ts';
import type { MembershipRooms } from './membership-rooms.ts';

const WINDOW_MS = 50;
const MESSAGE_WINDOW_MS = 200;

const isOfMessages = ({ event }: FanoutRow) => event.type.startsWith('chat.message.');

type Fanout = { subscriptions: Subscription[]; close(): void };

/**
 * A durable subscription for each producer: whichever pod gets an event tells the sockets of all. The order does not matter, as the
 * browser asks again; an event is done once it has been sent, so that a pod that goes leaves it to another.
 */
export function fanoutSubscriptions(live: LiveNamespace, rooms: MembershipRooms): Fanout {
  const changes = createLiveChanges(live, WINDOW_MS);
  const messages = createLiveChanges(live, MESSAGE_WINDOW_MS);
  const quick = { inbox: false, unordered: 64 };
  const byProducer = Map.groupBy(
    FANOUT.filter((row) => !isOfMessages(row)),
    ({ event }) => producerOf(event),
  );
  const subscriptions = [
    ...[...byProducer].map(([producer, rows]) =>
      subscription({ ...quick, name: `fanout-${producer}`, reactions: reactions(rows, changes) }),
    ),
    // Many more at once: a busy conversation's messages wait a whole window together.
    subscription({
      ...quick,
      name: 'fanout-messages',
      unordered: 2_000,
      reactions: reactions(FANOUT.filter(isOfMessages), messages),
    }),
    subscription({ ...quick, name: 'rooms', reactions: roomReactions(rooms) }),
  ];
  return {
    subscriptions,
    close() {
      changes.close();
      messages.close();
    },
  };
}

function reactions(rows: readonly FanoutRow[], changes: LiveChanges): Reaction[] {
  return rows.map(({ event, fan }) =>
    on(event, ({ data }) => inSpan({ name: 'deliver changed', kind: 'producer' }, () => changes.tell(fan(data)))),
  );
}

/** A second time after the pod that wrote it: it may have gone before it told the others, or two changes have crossed. */
function roomReactions(rooms: MembershipRooms): Reaction[] {
  return [
    on(chat.conversationCreated, ({ data }) =>
      rooms.follow(data.conversationId, data.participantIds, { isLeaving: false }),
    ),
    on(chat.conversationUpdated, ({ data }) =>
      rooms.follow(data.conversationId, [...data.addedIds, ...data.removedIds], { isLeaving: false }),
    ),
    on(chat.conversationDeleted, async ({ data }) => rooms.clear(data.conversationId)),
  ];
}
