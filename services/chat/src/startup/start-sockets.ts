import type { Server } from 'node:http';
import { LIVE_PRODUCERS } from '@atrium/proto-events/nats-users';
import { createInFlightLimiter } from '@atrium/service-kit/process/concurrency';
import type { HealthCheck } from '@atrium/service-kit/process/health';
import { newId } from '@atrium/service-kit/process/new-id';
import type { ServiceContext } from '@atrium/service-kit/service/service-definition';
import type { ServerOptions } from 'socket.io';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { createChangeBatcher } from '../live-updates/change-batcher.ts';
import { type ChangeFeed, createChangeFeed } from '../live-updates/change-feed.ts';
import { consumeEvents, type EventConsumer } from '../live-updates/consume-events.ts';
import { listPeople } from '../live-updates/list-people.ts';
import { createReplayBuffer, type ReplayBuffer } from '../live-updates/replay-buffer.ts';
import { createPresence, type Presence } from '../presence/presence.ts';
import { createPresenceStore } from '../presence/presence-store.ts';
import {
  type AuthenticationDeps,
  authenticateSocket,
  disconnectEndedSessions,
  joinRooms,
} from '../sockets/authenticate-socket.ts';
import { createConnectionLimits } from '../sockets/connection-limits.ts';
import { createConnections } from '../sockets/connections.ts';
import { createEventRateLimits } from '../sockets/event-rate-limits.ts';
import type { RedisClients } from '../sockets/redis.ts';
import { syncRoleRooms } from '../sockets/role-rooms.ts';
import { measureSockets } from '../sockets/socket-metrics.ts';
import type { LiveNamespace } from '../sockets/socket-server.ts';
import { serveChat, serveLive } from './serve-sockets.ts';
import type { Broadcasting } from './start-broadcasting.ts';

type RunningSockets = {
  changeFeed: ChangeFeed;
  filterOnline: Presence['filterOnline'];
  checks: HealthCheck[];
  start(): Promise<void>;
  attach(server: Server): void;
  close(): Promise<void>;
};

export function startSockets(context: ServiceContext<Config>, broadcasting: Broadcasting, deps: Deps): RunningSockets {
  const { config, directory, log } = context;
  const { redis, sockets, rooms } = broadcasting;
  const replayBuffer = createReplayBuffer(LIVE_PRODUCERS);
  const metrics = measureSockets(context.metrics.registry, sockets);
  const lifeMs = config.PRESENCE_TIMEOUT_SECONDS * 1000;
  const presenceStore = createPresenceStore(redis, { id: newId(), lifeMs });
  const rateLimits = createEventRateLimits(config.MAX_SOCKET_EVENTS_PER_MINUTE);
  const presence = createPresence({ chat: sockets.chat, store: presenceStore, heartbeatMs: lifeMs / 3, log });
  const resync = resyncAfterRedisOutage(redis, sockets.live, presence);
  const authentication: AuthenticationDeps = {
    ...context,
    rooms,
    rateLimits,
    socketCounts: createInFlightLimiter(),
    handshakes: sockets.handshakes,
  };
  for (const namespace of [sockets.chat, sockets.live]) namespace.use(authenticateSocket(authentication));
  sockets.live.on('connection', (socket) => {
    joinRooms(socket, authentication);
    if (socket.connected) serveLive(socket, { context, rateLimits, metrics, replayBuffer });
  });
  sockets.chat.on('connection', (socket) => {
    joinRooms(socket, authentication);
    if (socket.connected)
      serveChat(socket, { context, rateLimits, metrics, deps, chat: sockets.chat, rooms, presence });
  });
  disconnectEndedSessions(sockets, authentication);
  syncRoleRooms(sockets.live, directory);
  const limits = createConnectionLimits(config, log);
  const connections = createConnections(log, metrics);
  const changeFeed = createChangeFeed({ ...context, replayBuffer, rooms });
  const changeBatcher = createChangeBatcher({
    live: sockets.live,
    currentPosition: replayBuffer.position,
    listPeople: (changes) => listPeople(changes, directory),
  });
  const stopController = new AbortController();
  let eventConsumer: EventConsumer | undefined;
  return {
    changeFeed,
    filterOnline: presence.filterOnline,
    checks: [
      // Clients that reconnect to a pod without a complete replay buffer would have to refetch everything.
      { name: 'live', essential: true, check: async () => assertComplete(replayBuffer) },
    ],
    async start() {
      const messaging = await context.messaging;
      const hasSockets = () => sockets.live.sockets.size > 0;
      eventConsumer = await consumeEvents({
        messaging,
        replayBuffer,
        changeBatcher,
        rooms,
        saveOutcomes: deps.saveOutcomes,
        onUpdates: changeFeed.notify,
        hasSockets,
        log,
        signal: stopController.signal,
      });
    },
    attach(server) {
      const allowRequest: ServerOptions['allowRequest'] = (req, done) => {
        const rejection = limits.checkHandshake(req);
        done(rejection, rejection === undefined);
      };
      sockets.io.attach(server, { allowRequest });
      limits.track(sockets.io);
      connections.track(sockets.io);
    },
    async close() {
      presence.close();
      changeFeed.close();
      rateLimits.close();
      resync.close();
      stopController.abort();
      await eventConsumer?.close();
      changeBatcher.close();
      await connections.closeAll(sockets.io);
    },
  };
}

function assertComplete(replayBuffer: ReplayBuffer): void {
  if (!replayBuffer.isComplete()) throw new Error('The replay buffer is not complete yet');
}

/** A second resync is needed, because new Redis subscriptions take effect with a delay. */
const SECOND_RESYNC_DELAY_MS = 1_000;

/**
 * Each pod that reconnects broadcasts to the sockets of all pods, because it missed their events and they missed its
 * own. Presence is written first: otherwise browsers would find all users of this pod offline.
 */
function resyncAfterRedisOutage(
  redis: Pick<RedisClients, 'onConnected'>,
  live: Pick<LiveNamespace, 'sockets' | 'emit'>,
  presence: Pick<Presence, 'refresh'>,
): { close(): void } {
  let wasConnected = false;
  let isClosed = false;
  let secondResyncTimer: ReturnType<typeof setTimeout> | undefined;
  const broadcastResync = async () => {
    await presence.refresh();
    if (!isClosed) live.emit('resync');
  };
  redis.onConnected(() => {
    // No socket of a new pod has missed anything.
    const isStart = !wasConnected && live.sockets.size === 0;
    wasConnected = true;
    if (isStart) return void presence.refresh();
    void broadcastResync();
    clearTimeout(secondResyncTimer);
    secondResyncTimer = setTimeout(() => void broadcastResync(), SECOND_RESYNC_DELAY_MS).unref();
  });
  return {
    close() {
      isClosed = true;
      clearTimeout(secondResyncTimer);
    },
  };
}
