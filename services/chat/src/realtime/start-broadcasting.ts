import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { HealthCheck } from '@atrium/service-kit/process/health';
import type { ServiceContext } from '@atrium/service-kit/service/service-definition';
import type { Config } from '../config.ts';
import { createSockets, type Sockets } from '../sockets/socket-server.ts';
import { type Broadcaster, createBroadcaster } from './broadcaster.ts';
import { createFormerParticipants } from './former-participants.ts';
import { createMembershipRooms, type MembershipRooms } from './membership/membership-rooms.ts';
import { openRedis, type RealtimeRedis } from './redis.ts';

/** Sends events to the sockets of all pods. Pods without sockets have this part only. */
export type Broadcasting = {
  redis: RealtimeRedis;
  sockets: Sockets;
  rooms: MembershipRooms;
  broadcaster: Broadcaster;
  checks: HealthCheck[];
  close(): void;
};

export function startBroadcasting({ config, db, directory, log }: ServiceContext<Config> & { db: Db }): Broadcasting {
  const redis = openRedis(config.REDIS_URL, config.REDIS_PREFIX, log);
  const sockets = createSockets(redis);
  const rooms = createMembershipRooms({ sockets, redis, db, log });
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
