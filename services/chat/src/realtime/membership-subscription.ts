import * as chat from '@atrium/proto-events/events/chat';
import { on, type Subscription, subscription } from '@atrium/service-kit/messaging/subscription';
import type { MembershipRooms } from './membership/membership-rooms.ts';

/** Syncs rooms again: the pod that wrote the change may have crashed before its broadcast, or two changes may have crossed. */
export const membershipSubscription = (rooms: MembershipRooms): Subscription =>
  subscription({
    name: 'rooms',
    inbox: false,
    unordered: 64,
    reactions: [
      on(chat.conversationCreated, ({ data }) =>
        rooms.sync(data.conversationId, data.participantIds, { isLeaving: false }),
      ),
      on(chat.conversationUpdated, ({ data }) =>
        rooms.sync(data.conversationId, [...data.addedIds, ...data.removedIds], { isLeaving: false }),
      ),
      on(chat.conversationDeleted, async ({ data }) => rooms.clear(data.conversationId)),
    ],
  });
