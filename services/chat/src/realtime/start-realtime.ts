import type { Server } from 'node:http';
import { FEED_PRODUCERS } from '@atrium/proto-events/nats-users';
import { chatClientPayloads, liveClientPayloads } from '@atrium/proto-events/realtime';
import type { Subscription } from '@atrium/service-kit/messaging/subscription';
import type { HealthCheck } from '@atrium/service-kit/process/health';
import { newId } from '@atrium/service-kit/process/new-id';
import type { ServiceContext } from '@atrium/service-kit/service/service-definition';
import type { ServerOptions } from 'socket.io';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { createChangeBatcher } from '../feed/change-batcher.ts';
import { consumeFeed } from '../feed/feed-consumer.ts';
import { createReplayBuffer, type ReplayBuffer } from '../feed/replay-buffer.ts';
import { subscribeToAll, subscribeToTopics, syncRoleRooms } from '../feed/topic-subscriptions.ts';
import { createPresence, type Presence } from '../presence/presence.ts';
import { createPresenceStore } from '../presence/presence-store.ts';
import { createTyping } from '../presence/typing.ts';
import {
  type AuthenticationDeps,
  authenticateSocket,
  disconnectEndedSessions,
  joinRooms,
} from '../sockets/authenticate-socket.ts';
import { chatEvents } from '../sockets/chat-events.ts';
import { createConnectionLimits } from '../sockets/connection-limits.ts';
import { createConnections } from '../sockets/connections.ts';
import { createEventRateLimits, type EventRateLimits } from '../sockets/event-rate-limits.ts';
import { type EventHandlers, handleSocketEvents } from '../sockets/handle-socket-events.ts';
import { createRefetchInterval, type RefetchInterval } from '../sockets/refetch-interval.ts';
import { createSocketLimits } from '../sockets/socket-limits.ts';
import { measureSockets, type SocketMetrics } from '../sockets/socket-metrics.ts';
import type { ChatSocket, LiveSocket, Sockets } from '../sockets/socket-server.ts';
import { createTokenExpiry } from '../sockets/token-expiry.ts';
import type { MembershipRooms } from './membership/membership-rooms.ts';
import { membershipSubscription } from './membership-subscription.ts';
import { resyncAfterRedisOutage } from './redis-recovery.ts';
import type { Broadcasting } from './start-broadcasting.ts';

export type Realtime = {
  subscriptions: Subscription[];
  checks: HealthCheck[];
  /** Requires NATS. */
  start(): Promise<void>;
  attach(server: Server): void;
  /** Closes all connections; clients reconnect to another pod. */
  close(): Promise<void>;
};

/** The sockets of the service: authentication, client events, and live updates. */
export function startRealtime(context: ServiceContext<Config>, broadcasting: Broadcasting, deps: Deps): Realtime {
  const { config, directory, log } = context;
  const { redis, sockets, rooms } = broadcasting;
  const replayBuffer = createReplayBuffer(FEED_PRODUCERS);
  const metrics = measureSockets(context.metrics.registry, sockets);
  const lifeMs = config.PRESENCE_TIMEOUT_SECONDS * 1000;
  const pod = { id: newId(), lifeMs };
  const store = createPresenceStore(redis, pod);
  const socketLimits = createSocketLimits(redis, pod, log);
  const rateLimits = createEventRateLimits(config.MAX_SOCKET_EVENTS_PER_MINUTE);
  const presence = createPresence({ chat: sockets.chat, store, beatMs: lifeMs / 3, log });
  const sync = resyncAfterRedisOutage(redis, sockets.live, presence);
  const refetchInterval = createRefetchInterval({
    adapter: sockets.live.adapter,
    countPods: store.pods,
    perSecond: config.MAX_LIST_REFETCHES_PER_SECOND,
  });
  const authentication: AuthenticationDeps = {
    ...context,
    rooms,
    rateLimits,
    socketLimits,
    handshakes: sockets.handshakes,
  };
  for (const namespace of [sockets.chat, sockets.live]) namespace.use(authenticateSocket(authentication));
  sockets.live.on('connection', (socket) => {
    joinRooms(socket, authentication);
    if (socket.connected) serveLive(socket, { context, rateLimits, metrics, replayBuffer, refetchInterval });
  });
  sockets.chat.on('connection', (socket) => {
    joinRooms(socket, authentication);
    if (socket.connected) serveChat(socket, { context, deps, sockets, rooms, rateLimits, presence, metrics });
  });
  disconnectEndedSessions(sockets, authentication);
  syncRoleRooms(sockets.live, directory);
  const limits = createConnectionLimits(config, log);
  const connections = createConnections(log, metrics);
  const changes = createChangeBatcher(sockets.live, replayBuffer.position, refetchInterval);
  const stop = new AbortController();
  let feed: Awaited<ReturnType<typeof consumeFeed>> | undefined;
  return {
    subscriptions: [membershipSubscription(rooms)],
    checks: [
      // Clients that reconnect to a pod without a complete replay buffer would have to refetch everything.
      { name: 'live', essential: true, check: async () => assertComplete(replayBuffer) },
    ],
    async start() {
      const messaging = await context.messaging;
      const hasSockets = () => sockets.live.sockets.size > 0;
      feed = await consumeFeed({
        messaging,
        replayBuffer,
        changes,
        rooms,
        saves: deps.saves,
        hasSockets,
        log,
        signal: stop.signal,
      });
      changes.advancePosition();
    },
    attach(server) {
      const allowRequest: ServerOptions['allowRequest'] = (req, done) => {
        const rejection = limits.rejection(req);
        done(rejection, rejection === undefined);
      };
      sockets.io.attach(server, { allowRequest });
      limits.track(sockets.io);
      connections.track(sockets.io);
    },
    async close() {
      presence.close();
      socketLimits.close();
      refetchInterval.close();
      rateLimits.close();
      sync.close();
      stop.abort();
      await feed?.close();
      changes.close();
      await connections.closeAll(sockets.io);
    },
  };
}

type ServeDeps = {
  context: ServiceContext<Config>;
  deps: Deps;
  sockets: Sockets;
  rooms: MembershipRooms;
  rateLimits: EventRateLimits;
  presence: Presence;
  metrics: SocketMetrics;
};

function assertComplete(replayBuffer: ReplayBuffer): void {
  if (!replayBuffer.isComplete()) throw new Error('The replay buffer is not complete yet');
}

type ServeLiveDeps = Pick<ServeDeps, 'context' | 'rateLimits' | 'metrics'> & {
  replayBuffer: ReplayBuffer;
  refetchInterval: RefetchInterval;
};

function serveLive(
  socket: LiveSocket,
  { context, rateLimits, metrics, replayBuffer, refetchInterval }: ServeLiveDeps,
): void {
  subscribeToAll(socket, context.directory);
  const rateLimit = () => rateLimits.of(socket.data.caller.userId);
  const tokenExpiry = createTokenExpiry(context.verifier, socket);
  socket.on('disconnect', tokenExpiry.stop);
  const handlers: EventHandlers<typeof liveClientPayloads> = {
    'auth:refresh': tokenExpiry.refresh,
    subscribe: (payload) => subscribeToTopics(socket, payload, { replayBuffer, refetchInterval }),
  };
  handleSocketEvents(socket, { payloads: liveClientPayloads, handlers }, { rateLimit, log: context.log, metrics });
}

function serveChat(
  socket: ChatSocket,
  { context, deps, sockets, rooms, rateLimits, presence, metrics }: ServeDeps,
): void {
  const typing = createTyping(sockets.chat, socket, context.directory);
  const rateLimit = () => rateLimits.of(socket.data.caller.userId);
  const tokenExpiry = createTokenExpiry(context.verifier, socket);
  const handlers = { ...chatEvents({ ...deps, rooms, presence }, socket, typing), 'auth:refresh': tokenExpiry.refresh };
  handleSocketEvents(socket, { payloads: chatClientPayloads, handlers }, { rateLimit, log: context.log, metrics });
  presence.connect(socket);
  socket.on('disconnect', () => {
    tokenExpiry.stop();
    typing.stopAll();
  });
}
