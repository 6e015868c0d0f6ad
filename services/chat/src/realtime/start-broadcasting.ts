import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { HealthCheck } from '@atrium/service-kit/process/health';
import type { ServiceContext } from '@atrium/service-kit/process/service-definition';
import type { Config } from '../config.ts';
import { createSockets, type Sockets } from '../sockets/socket-server.ts';
import { type Broadcaster, createBroadcaster } from './broadcaster.ts';
import { createDepartures } from './former-participants.ts';
import { createMembershipRooms, type MembershipRooms } from './membership/membership-rooms.ts';
import { openRedis, type RealtimeRedis } from './redis.ts';

/** What tells sockets something, on whichever pod they are: all that a pod without sockets has of it. */
export type Broadcasting = {
  redis: RealtimeRedis;
  sockets: Sockets;
  rooms: MembershipRooms;
  broadcaster: Broadcaster;
  checks: HealthCheck[];
  close(): void;
};

export function startAnnouncing({ config, db, directory, log }: ServiceContext<Config> & { db: Db }): Broadcasting {
  const redis = openRedis(config.REDIS_URL, config.REDIS_PREFIX, log);
  const sockets = createSockets(redis);
  const rooms = createMembershipRooms({ sockets, redis, db, log });
  const broadcaster = createBroadcaster({
    chat: sockets.chat,
    rooms,
    departures: createDepartures(db),
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
