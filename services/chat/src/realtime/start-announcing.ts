import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { HealthCheck } from '@atrium/service-kit/process/health';
import type { Kit } from '@atrium/service-kit/process/service-parts';
import type { Config } from '../config.ts';
import { createSockets, type Sockets } from '../sockets/socket-server.ts';
import { type Announce, createAnnounce } from './announce.ts';
import { createDepartures } from './departures.ts';
import { createMembershipRooms, type MembershipRooms } from './membership/membership-rooms.ts';
import { openRedis, type RealtimeRedis } from './redis.ts';

/** What tells sockets something, on whichever pod they are: all that a pod without sockets has of it. */
export type Announcing = {
  redis: RealtimeRedis;
  sockets: Sockets;
  rooms: MembershipRooms;
  announce: Announce;
  checks: HealthCheck[];
  close(): void;
};

export function startAnnouncing({ config, db, directory, log }: Kit<Config> & { db: Db }): Announcing {
  const redis = openRedis(config.REDIS_URL, config.REDIS_PREFIX, log);
  const sockets = createSockets(redis);
  const rooms = createMembershipRooms({ sockets, redis, db, log });
  const announce = createAnnounce({ chat: sockets.chat, rooms, departures: createDepartures(db), db, directory, log });
  return {
    redis,
    sockets,
    rooms,
    announce,
    checks: [{ name: 'redis', essential: false, check: redis.check }],
    close() {
      rooms.close();
      redis.close();
    },
  };
}
