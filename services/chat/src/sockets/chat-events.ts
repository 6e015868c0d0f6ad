import type { chatClientPayloads } from '@atrium/proto-events/realtime';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { createConversation } from '../conversations/create-conversation.ts';
import { markRead } from '../conversations/mark-read.ts';
import { readJoinedConversation } from '../conversations/read-conversations.ts';
import type { Deps } from '../deps.ts';
import { sendMessage } from '../messages/send-message.ts';
import type { Presence } from '../presence/presence.ts';
import type { Typing } from '../presence/typing.ts';
import type { MembershipRooms } from '../realtime/membership/membership-rooms.ts';
import { conversationRoom } from '../realtime/rooms.ts';
import type { EventHandlers } from './handle-socket-events.ts';
import type { ChatSocket } from './socket-server.ts';

/** The events of `/chat`, with the same use cases as over HTTP. */
export function chatEvents(
  deps: Deps & { rooms: MembershipRooms; presence: Presence },
  socket: ChatSocket,
  typing: Typing,
): Omit<EventHandlers<typeof chatClientPayloads>, 'auth:refresh'> {
  const caller = (): Caller => {
    const { caller: known } = socket.data;
    return { ...known, role: deps.directory.user(known.userId)?.role ?? known.role };
  };
  const assertMember = (conversation: string) => {
    if (!socket.rooms.has(conversationRoom(conversation))) throw notFound('Conversation');
  };
  return {
    'message:send': (payload) => sendMessage(deps, caller(), { ...payload, socketId: socket.id }),
    'message:read': (payload) => markRead(deps, caller(), payload),
    'typing:start': async ({ conversation }) => {
      assertMember(conversation);
      typing.start(conversation);
      return null;
    },
    'typing:stop': async ({ conversation }) => {
      assertMember(conversation);
      typing.stop(conversation);
      return null;
    },
    // Participants receive everything without joining.
    'conversation:join': async ({ conversation }) => {
      await deps.rooms.reconcile(socket);
      return readJoinedConversation(deps, caller(), conversation);
    },
    'conversation:leave': async ({ conversation }) => {
      assertMember(conversation);
      return null;
    },
    'conversation:create': async (body) =>
      (await createConversation(deps, caller(), { body, key: undefined })).conversation,
    // Having a socket means being online, so there is nothing to record.
    'user:presence': async () => null,
    'presence:subscribe': ({ users }) => deps.presence.subscribe(socket, users),
  };
}
