import { filesEnv } from '@atrium/object-store/s3/config';
import { postgresEnv, readEnv } from '@atrium/service-kit/config/env';
import type { z } from 'zod';

export const schema = postgresEnv.extend(filesEnv.shape);

export type Config = z.infer<typeof schema>;

export function readConfig(source: NodeJS.ProcessEnv): Config {
  return readEnv(schema, source);
}
