import { postgresEnv, readEnv } from '@atrium/service-kit/process/env';
import { z } from 'zod';

export const schema = postgresEnv.extend({
  REDIS_URL: z.url(),
  REDIS_PREFIX: z.string().min(1).default('atrium'),
  /** How long people stay online after a pod that was killed with their sockets. */
  PRESENCE_SECONDS: z.coerce.number().min(1).max(300).default(25),
  /** What one person may send on one pod; beyond it events are refused with `rate_limited`, and then the sockets closed. */
  SOCKET_EVENTS_PER_MINUTE: z.coerce.number().int().min(1).default(1_200),
});

export type Config = z.infer<typeof schema>;

/** The only reader of the environment; throws one error that lists every fault. */
export function readConfig(source: NodeJS.ProcessEnv): Config {
  return readEnv(schema, source);
}
