import { filesEnv } from '@atrium/object-store/s3/config';
import { postgresEnv, readEnv } from '@atrium/service-kit/process/env';
import {
  connectionsPerAddress,
  corsOrigins,
  redisPrefix,
  redisUrl,
  socketRateLimit,
} from '@atrium/service-kit/process/shared-variables';
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
      '`files` for pods to which the gateway leads files alone (`CHAT_FILES_URL`): they have no sockets; `sockets` for those beside them, which leave it to them to draw the pictures of images',
    ),
  PRESENCE_TIMEOUT_SECONDS: z.coerce
    .number()
    .min(1)
    .max(300)
    .default(25)
    .describe('how long people of a pod that died stay online'),
  MAX_GROUPS_PER_USER_PER_DAY: z.coerce
    .number()
    .int()
    .min(0)
    .default(100)
    .describe('groups that one user can create on a day (UTC); 0 is no limit'),
  MAX_LIST_REFETCHES_PER_SECOND: z.coerce
    .number()
    .min(1)
    .default(100)
    .describe(
      'how often all browsers together ask anew for lists of everything (projects, people, departments, documents) while they change; each then waits its share, at least 2 s (docs/self-hosting/scaling.md); of a change of a conversation that more than 200 browsers of a pod hear, as many are told a second',
    ),
  MAX_SOCKET_EVENTS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_200)
    .describe(
      'what one person may send on one pod; beyond it events are refused with `rate_limited`, and then the sockets closed',
    ),
});

export type Config = z.infer<typeof schema>;

/** The only reader of the environment; throws one error that lists every fault. */
export function readConfig(source: NodeJS.ProcessEnv): Config {
  return readEnv(schema, source);
}
