import { postgresEnv, readEnv } from '@atrium/service-kit/process/env';
import { z } from 'zod';

export const schema = postgresEnv.extend({
  ALLOW_PAST_MEETINGS: z
    .stringbool()
    .prefault('false')
    .describe('`true` while an old calendar is imported: meetings may be created in the past'),
});

export type Config = z.infer<typeof schema>;

/** The only reader of the environment; throws one error that lists every fault. */
export function readConfig(source: NodeJS.ProcessEnv): Config {
  return readEnv(schema, source);
}
