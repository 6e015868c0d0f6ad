import { chatClientPayloads, liveClientPayloads } from '@atrium/proto-events/realtime';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { ServiceContext } from '@atrium/service-kit/service/service-definition';
import type { Config } from '../config.ts';
import { createConversation } from '../conversations/create-conversation.ts';
import { markRead } from '../conversations/mark-read.ts';
import { readJoinPreview } from '../conversations/read-conversations.ts';
import type { Deps } from '../deps.ts';
import type { ReplayBuffer } from '../live-updates/replay-buffer.ts';
import { subscribeToTags } from '../live-updates/tag-subscriptions.ts';
import { sendMessage } from '../messages/send-message.ts';
import type { Presence } from '../presence/presence.ts';
import { createTokenExpiry } from '../sockets/authenticate-socket.ts';
import type { ConversationRooms } from '../sockets/conversation-rooms.ts';
import type { EventRateLimits } from '../sockets/event-rate-limits.ts';
import { type EventHandlers, handleSocketEvents } from '../sockets/handle-socket-events.ts';
import { joinRoleRooms } from '../sockets/role-rooms.ts';
import type { SocketMetrics } from '../sockets/socket-metrics.ts';
import { type ChatNamespace, type ChatSocket, conversationRoom, type LiveSocket } from '../sockets/socket-server.ts';
import { createTyping, type Typing } from '../sockets/typing.ts';

type SocketDeps = { context: ServiceContext<Config>; rateLimits: EventRateLimits; metrics: SocketMetrics };
type LiveDeps = SocketDeps & { replayBuffer: ReplayBuffer };
type ChatDeps = SocketDeps & { deps: Deps; chat: ChatNamespace; rooms: ConversationRooms; presence: Presence };

export function serveLive(socket: LiveSocket, liveDeps: LiveDeps): void {
  const { context, replayBuffer } = liveDeps;
  const { directory } = context;
  joinRoleRooms(socket, directory);
  const tokenExpiry = createTokenExpiry(context.verifier, socket);
  socket.on('disconnect', tokenExpiry.stop);
  const handlers: EventHandlers<typeof liveClientPayloads> = {
    'auth:refresh': tokenExpiry.refresh,
    subscribe: (payload) => subscribeToTags(socket, payload, { replayBuffer, directory }),
  };
  handleSocketEvents(socket, { payloads: liveClientPayloads, handlers }, optionsFor(socket, liveDeps));
}

export function serveChat(socket: ChatSocket, chatDeps: ChatDeps): void {
  const { context, chat, presence } = chatDeps;
  const typing = createTyping(chat, socket, context.directory);
  const tokenExpiry = createTokenExpiry(context.verifier, socket);
  const handlers = { ...chatEventHandlers(chatDeps, socket, typing), 'auth:refresh': tokenExpiry.refresh };
  handleSocketEvents(socket, { payloads: chatClientPayloads, handlers }, optionsFor(socket, chatDeps));
  presence.connect(socket);
  socket.on('disconnect', () => {
    tokenExpiry.stop();
    typing.stopAll();
  });
}

/** The limit is looked up for each event, because unused ones are evicted. */
const optionsFor = (socket: ChatSocket | LiveSocket, { context, rateLimits, metrics }: SocketDeps) => ({
  rateLimit: () => rateLimits.get(socket.data.caller.userId),
  log: context.log,
  metrics,
});

function chatEventHandlers(
  { deps, rooms, presence }: ChatDeps,
  socket: ChatSocket,
  typing: Typing,
): Omit<EventHandlers<typeof chatClientPayloads>, 'auth:refresh'> {
  const caller = (): Caller => {
    const { caller: tokenCaller } = socket.data;
    return { ...tokenCaller, role: deps.directory.user(tokenCaller.userId)?.role ?? tokenCaller.role };
  };
  const assertParticipant = (conversation: string) => {
    if (!socket.rooms.has(conversationRoom(conversation))) throw notFound('Conversation');
  };
  return {
    'message:send': (payload) => sendMessage(deps, caller(), { ...payload, socketId: socket.id }),
    'message:read': (payload) => markRead(deps, caller(), payload),
    'typing:start': async (place) => {
      assertParticipant(place.conversation);
      typing.start(place);
      return null;
    },
    'typing:stop': async (place) => {
      assertParticipant(place.conversation);
      typing.stop(place);
      return null;
    },
    // Participants receive everything without joining.
    'conversation:join': async ({ conversation }) => {
      await rooms.reconcile(socket);
      return readJoinPreview(deps, caller(), conversation);
    },
    'conversation:leave': async ({ conversation }) => {
      assertParticipant(conversation);
      return null;
    },
    'conversation:create': async (body) =>
      (await createConversation(deps, caller(), { body, key: undefined })).conversation,
    // Having a socket means being online, so there is nothing to record.
    'user:presence': async () => null,
    'presence:subscribe': ({ users }) => presence.subscribe(socket, users),
  };
}
