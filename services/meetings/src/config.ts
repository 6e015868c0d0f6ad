import { postgresEnv, readEnv } from '@atrium/service-kit/config/env';
import { z } from 'zod';

export const schema = postgresEnv.extend({
  ALLOW_PAST_MEETINGS: z
    .stringbool()
    .prefault('false')
    .describe('allows meetings in the past; `true` only while importing an old calendar'),
});

export type Config = z.infer<typeof schema>;

export function readConfig(source: NodeJS.ProcessEnv): Config {
  return readEnv(schema, source);
}
