import * as chat from '@atrium/proto-events/events/chat';
import { on, type Subscription, subscription } from '@atrium/service-kit/messaging/subscription';
import type { MembershipRooms } from './membership/membership-rooms.ts';

/** A second time after the pod that wrote it: it may have gone before it told the others, or two changes have crossed. */
export const roomSubscription = (rooms: MembershipRooms): Subscription =>
  subscription({
    name: 'rooms',
    inbox: false,
    unordered: 64,
    reactions: [
      on(chat.conversationCreated, ({ data }) =>
        rooms.follow(data.conversationId, data.participantIds, { isLeaving: false }),
      ),
      on(chat.conversationUpdated, ({ data }) =>
        rooms.follow(data.conversationId, [...data.addedIds, ...data.removedIds], { isLeaving: false }),
      ),
      on(chat.conversationDeleted, async ({ data }) => rooms.clear(data.conversationId)),
    ],
  });
