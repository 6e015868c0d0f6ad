import { filesEnv } from '@atrium/object-store/s3/config';
import { postgresEnv, readEnv } from '@atrium/service-kit/config/env';
import {
  connectionsPerAddress,
  corsOrigins,
  redisPrefix,
  redisUrl,
  socketRateLimit,
} from '@atrium/service-kit/config/shared-variables';
import { z } from 'zod';

export const schema = postgresEnv.extend(filesEnv.shape).extend({
  REDIS_URL: redisUrl,
  REDIS_PREFIX: redisPrefix,
  CORS_ORIGINS: corsOrigins,
  RATE_LIMIT_SOCKET: socketRateLimit,
  MAX_CONNECTIONS_PER_IP: connectionsPerAddress,
  CHAT_ROLE: z
    .enum(['all', 'files', 'sockets'])
    .default('all')
    .describe(
      '`files`: receives files (`CHAT_FILES_URL`) and renders thumbnails, without sockets; `sockets`: leaves thumbnails to those pods',
    ),
  PRESENCE_TIMEOUT_SECONDS: z.coerce
    .number()
    .min(1)
    .max(300)
    .default(25)
    .describe('how long users of a crashed pod remain online'),
  MAX_GROUPS_PER_USER_PER_DAY: z.coerce
    .number()
    .int()
    .min(0)
    .default(100)
    .describe('groups that a user can create per day (UTC); 0 for no limit'),
  MAX_SOCKET_EVENTS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_200)
    .describe(
      'socket events per minute per user on one pod. Further events are rejected with `rate_limited`; after that, the sockets are closed',
    ),
  NOTIFICATIONS_SHOW_TEXT: z
    .stringbool()
    .prefault('false')
    .describe(
      'whether push messages and emails contain the beginning of messages in Team Chat; devices show it on locked screens',
    ),
});

export type Config = z.infer<typeof schema>;

export function readConfig(source: NodeJS.ProcessEnv): Config {
  return readEnv(schema, source);
}
