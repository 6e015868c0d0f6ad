import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { HealthCheck } from '@atrium/service-kit/process/health';
import type { ServiceContext } from '@atrium/service-kit/service/service-definition';
import type { Config } from '../config.ts';
import { createFormerParticipants } from '../model/conversations/former-participants.ts';
import { type Broadcaster, createBroadcaster } from '../sockets/broadcaster.ts';
import { type ConversationRooms, createConversationRooms } from '../sockets/conversation-rooms.ts';
import { openRedis, type RedisClients } from '../sockets/redis.ts';
import { createSocketServer, type SocketServer } from '../sockets/socket-server.ts';

export type Broadcasting = {
  redis: RedisClients;
  sockets: SocketServer;
  rooms: ConversationRooms;
  broadcaster: Broadcaster;
  checks: HealthCheck[];
  close(): void;
};

export function startBroadcasting({ config, db, directory, log }: ServiceContext<Config> & { db: Db }): Broadcasting {
  const redis = openRedis(config.REDIS_URL, config.REDIS_PREFIX, log);
  const sockets = createSocketServer(redis);
  const rooms = createConversationRooms({ sockets, db, log });
  const broadcaster = createBroadcaster({
    chat: sockets.chat,
    rooms,
    formerParticipants: createFormerParticipants(db),
    db,
    directory,
    log,
  });
  return {
    redis,
    sockets,
    rooms,
    broadcaster,
    checks: [{ name: 'redis', essential: false, check: redis.check }],
    close() {
      rooms.close();
      redis.close();
    },
  };
}
