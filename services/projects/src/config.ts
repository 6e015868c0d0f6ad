import { postgresEnv, readEnv } from '@atrium/service-kit/config/env';
import type { z } from 'zod';

export const schema = postgresEnv;

export type Config = z.infer<typeof schema>;

export function readConfig(source: NodeJS.ProcessEnv): Config {
  return readEnv(schema, source);
}
