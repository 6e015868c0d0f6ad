import type { Server } from 'node:http';
import type { HealthCheck } from '@atrium/service-kit/health';
import { newId } from '@atrium/service-kit/new-id';
import type { Db } from '@atrium/service-kit/postgres';
import type { Kit } from '@atrium/service-kit/service-parts';
import type { Subscription } from '@atrium/service-kit/subscription';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { type AdmitDeps, admitSocket, endSockets, enterRooms } from './admit-socket.ts';
import { type Announce, createAnnounce } from './announce.ts';
import { answerEvents } from './answer-events.ts';
import { chatEvents } from './chat-events.ts';
import { createConnections } from './connections.ts';
import { fanoutSubscriptions } from './fanout-subscriptions.ts';
import { createMembershipRooms, type MembershipRooms } from './membership-rooms.ts';
import { createPresence, type Presence } from './presence.ts';
import { createPresenceStore } from './presence-store.ts';
import { openRedis, type RealtimeRedis } from './redis.ts';
import { type ChatSocket, createSockets, type Sockets } from './socket-server.ts';
import { createTokenBucket } from './token-bucket.ts';
import { createTyping } from './typing.ts';

export type Realtime = {
  announce: Announce;
  subscriptions: Subscription[];
  check: HealthCheck;
  attach(server: Server): void;
  /** Lets clients go so that they move over to another pod by themselves. */
  close(): Promise<void>;
};

/** While Redis is away, how often the sockets' rooms are compared with the database. */
const COMPARE_MS = 5_000;

/** The socket side of the service: who is let in, what they may ask, what they are told. */
export function startRealtime(kit: Kit<Config> & { db: Db }): Realtime {
  const { config, db, directory, log } = kit;
  const redis = openRedis(config.REDIS_URL, config.REDIS_PREFIX, log);
  const sockets = createSockets(redis);
  const rooms = createMembershipRooms(sockets, db);
  const announce = createAnnounce({ chat: sockets.chat, rooms, db, directory, log });
  const lifeMs = config.PRESENCE_SECONDS * 1000;
  const store = createPresenceStore(redis, { id: newId(), lifeMs });
  const presence = createPresence({ chat: sockets.chat, store, beatMs: lifeMs / 3, db, log });
  const admission: AdmitDeps = kit;
  for (const namespace of [sockets.chat, sockets.live]) namespace.use(admitSocket(admission));
  sockets.live.on('connection', (socket) => enterRooms(socket, admission));
  sockets.chat.on('connection', (socket) => {
    enterRooms(socket, admission);
    if (socket.connected) serve(socket, { kit, sockets, presence, announce });
  });
  endSockets(sockets, admission);
  const connections = createConnections(log);
  const fanout = fanoutSubscriptions(sockets.live, rooms);
  const comparing = keepComparing(redis, rooms, kit);
  return {
    announce,
    subscriptions: fanout.subscriptions,
    check: { name: 'redis', essential: false, check: redis.check },
    attach(server) {
      sockets.io.attach(server);
      connections.watch(sockets.io);
    },
    async close() {
      comparing.close();
      presence.close();
      fanout.close();
      await connections.closeAll(sockets.io);
      redis.close();
    },
  };
}

type Serving = { kit: Kit<Config> & { db: Db }; sockets: Sockets; presence: Presence; announce: Announce };

function serve(socket: ChatSocket, { kit, sockets, presence, announce }: Serving): void {
  const deps: Deps = { db: kit.db, directory: kit.directory, announce };
  const typing = createTyping(sockets.chat, socket);
  const take = createTokenBucket(kit.config.SOCKET_EVENTS_PER_MINUTE);
  answerEvents(socket, chatEvents(deps, socket, typing), { take, log: kit.log });
  presence.arrive(socket);
  socket.on('disconnect', () => typing.stopAll());
}

/** Other pods are not heard without Redis, and what they said meanwhile is not said again. */
function keepComparing(redis: RealtimeRedis, rooms: MembershipRooms, { log }: Kit<Config>) {
  const compare = () => {
    rooms.compare().catch((error) => log.warn({ err: error }, 'rooms could not be compared with the database'));
  };
  redis.onListening(compare);
  const timer = setInterval(() => {
    if (!redis.listening()) compare();
  }, COMPARE_MS).unref();
  return { close: () => clearInterval(timer) };
}
