import type { Server } from 'node:http';
import { FEED_PRODUCERS } from '@atrium/proto-events/nats-users';
import { chatClientPayloads, liveClientPayloads } from '@atrium/proto-events/realtime';
import type { Subscription } from '@atrium/service-kit/messaging/subscription';
import type { HealthCheck } from '@atrium/service-kit/process/health';
import { newId } from '@atrium/service-kit/process/new-id';
import type { ServiceContext } from '@atrium/service-kit/process/service-definition';
import type { ServerOptions } from 'socket.io';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { createLiveChanges } from '../feed/change-batcher.ts';
import { consumeFeed } from '../feed/feed-consumer.ts';
import { createLiveLog, type ReplayBuffer } from '../feed/replay-buffer.ts';
import { subscribeToAll, syncRoleRooms, watch } from '../feed/topic-subscriptions.ts';
import { createPresence, type Presence } from '../presence/presence.ts';
import { createPresenceStore } from '../presence/presence-store.ts';
import { createTyping } from '../presence/typing.ts';
import { type AdmitDeps, authenticateSocket, endSockets, enterRooms } from '../sockets/authenticate-socket.ts';
import { chatEvents } from '../sockets/chat-events.ts';
import { createConnectionLimits } from '../sockets/connection-limits.ts';
import { createConnections } from '../sockets/connections.ts';
import { createEventBudgets, type EventBudgets } from '../sockets/event-rate-limits.ts';
import { type EventHandlers, handleSocketEvents } from '../sockets/handle-socket-events.ts';
import { createRefetchInterval, type Pace } from '../sockets/refetch-interval.ts';
import { createSocketCounts } from '../sockets/socket-limits.ts';
import { measureSockets, type SocketMetrics } from '../sockets/socket-metrics.ts';
import type { ChatSocket, LiveSocket, Sockets } from '../sockets/socket-server.ts';
import { createTokenLife } from '../sockets/token-expiry.ts';
import type { MembershipRooms } from './membership/membership-rooms.ts';
import { roomSubscription } from './membership-subscription.ts';
import { resyncAfterRedisOutage } from './redis-recovery.ts';
import type { Broadcasting } from './start-broadcasting.ts';

export type Realtime = {
  subscriptions: Subscription[];
  checks: HealthCheck[];
  /** Once NATS is there: has browsers hear of everything. */
  begin(): Promise<void>;
  attach(server: Server): void;
  /** Lets clients go so that they move over to another pod by themselves. */
  close(): Promise<void>;
};

/** The socket side of the service: who is let in, what they may ask, what they are told. `deps` are what their questions are answered with. */
export function startRealtime(kit: ServiceContext<Config>, announcing: Broadcasting, deps: Deps): Realtime {
  const { config, directory, log } = kit;
  const { redis, sockets, rooms } = announcing;
  const liveLog = createLiveLog(FEED_PRODUCERS);
  const metrics = measureSockets(kit.metrics.registry, sockets);
  const lifeMs = config.PRESENCE_TIMEOUT_SECONDS * 1000;
  const pod = { id: newId(), lifeMs };
  const store = createPresenceStore(redis, pod);
  const counts = createSocketCounts(redis, pod, log);
  const budgets = createEventBudgets(config.MAX_SOCKET_EVENTS_PER_MINUTE);
  const presence = createPresence({ chat: sockets.chat, store, beatMs: lifeMs / 3, log });
  const sync = resyncAfterRedisOutage(redis, sockets.live, presence);
  const pace = createRefetchInterval({
    adapter: sockets.live.adapter,
    countPods: store.pods,
    perSecond: config.MAX_LIST_REFETCHES_PER_SECOND,
  });
  const admission: AdmitDeps = { ...kit, rooms, budgets, counts, handshakes: sockets.handshakes };
  for (const namespace of [sockets.chat, sockets.live]) namespace.use(authenticateSocket(admission));
  sockets.live.on('connection', (socket) => {
    enterRooms(socket, admission);
    if (socket.connected) serveLive(socket, { kit, budgets, metrics, liveLog, pace });
  });
  sockets.chat.on('connection', (socket) => {
    enterRooms(socket, admission);
    if (socket.connected) serveChat(socket, { kit, deps, sockets, rooms, budgets, presence, metrics });
  });
  endSockets(sockets, admission);
  syncRoleRooms(sockets.live, directory);
  const limits = createConnectionLimits(config, log);
  const connections = createConnections(log, metrics);
  const changes = createLiveChanges(sockets.live, liveLog.position, pace);
  const stop = new AbortController();
  let feed: Awaited<ReturnType<typeof consumeFeed>> | undefined;
  return {
    subscriptions: [roomSubscription(rooms)],
    checks: [
      // Whoever comes back to a pod that does not know the last hour yet would have to ask for everything.
      { name: 'live', essential: true, check: async () => requireComplete(liveLog) },
    ],
    async begin() {
      const messaging = await kit.messaging;
      const hasSockets = () => sockets.live.sockets.size > 0;
      feed = await consumeFeed({
        messaging,
        liveLog,
        changes,
        rooms,
        saves: deps.saves,
        hasSockets,
        log,
        signal: stop.signal,
      });
      changes.settle();
    },
    attach(server) {
      const allowRequest: ServerOptions['allowRequest'] = (req, done) => {
        const rejection = limits.rejection(req);
        done(rejection, rejection === undefined);
      };
      sockets.io.attach(server, { allowRequest });
      limits.watch(sockets.io);
      connections.watch(sockets.io);
    },
    async close() {
      presence.close();
      counts.close();
      pace.close();
      budgets.close();
      sync.close();
      stop.abort();
      await feed?.close();
      changes.close();
      await connections.closeAll(sockets.io);
    },
  };
}

type Serving = {
  kit: ServiceContext<Config>;
  deps: Deps;
  sockets: Sockets;
  rooms: MembershipRooms;
  budgets: EventBudgets;
  presence: Presence;
  metrics: SocketMetrics;
};

function requireComplete(liveLog: ReplayBuffer): void {
  if (!liveLog.isComplete()) throw new Error('catching up');
}

type ServingLive = Pick<Serving, 'kit' | 'budgets' | 'metrics'> & { liveLog: ReplayBuffer; pace: Pace };

function serveLive(socket: LiveSocket, { kit, budgets, metrics, liveLog, pace }: ServingLive): void {
  subscribeToAll(socket, kit.directory);
  const budget = () => budgets.of(socket.data.caller.userId);
  const life = createTokenLife(kit.verifier, socket);
  socket.on('disconnect', life.stop);
  const handlers: EventHandlers<typeof liveClientPayloads> = {
    'auth:refresh': life.renew,
    subscribe: (given) => watch(socket, given, { liveLog, pace }),
  };
  handleSocketEvents(socket, { payloads: liveClientPayloads, handlers }, { budget, log: kit.log, metrics });
}

function serveChat(socket: ChatSocket, { kit, deps, sockets, rooms, budgets, presence, metrics }: Serving): void {
  const typing = createTyping(sockets.chat, socket, kit.directory);
  const budget = () => budgets.of(socket.data.caller.userId);
  const life = createTokenLife(kit.verifier, socket);
  const handlers = { ...chatEvents({ ...deps, rooms, presence }, socket, typing), 'auth:refresh': life.renew };
  handleSocketEvents(socket, { payloads: chatClientPayloads, handlers }, { budget, log: kit.log, metrics });
  presence.arrive(socket);
  socket.on('disconnect', () => {
    life.stop();
    typing.stopAll();
  });
}
