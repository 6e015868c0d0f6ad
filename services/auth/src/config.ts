import { postgresEnv, readEnv } from '@atrium/service-kit/config/env';
import { secretText } from '@atrium/service-kit/config/secret-value';
import { days, linkSealingKey, publicUrl, sessionIdleDays } from '@atrium/service-kit/config/shared-variables';
import { z } from 'zod';

export const schema = postgresEnv.extend({
  PUBLIC_URL: publicUrl,
  REGISTRATION: z
    .enum(['invitation', 'open'])
    .default('invitation')
    .describe(
      'whether anyone can register without an invitation (`open`) after the first administrator. **Warning:** `open` verifies no email address: anyone who can reach the sign-in page can register as any colleague. Use it only where strangers cannot reach that page',
    ),
  SETUP_TOKEN: secretText(16).optional().meta({
    description:
      'at least 16 characters; required to register the first administrator, through `/login?setup=…`. Set it wherever strangers can reach the address: without it, the first visitor becomes the administrator',
    secret: true,
  }),
  SESSION_IDLE_DAYS: sessionIdleDays,
  SESSION_MAX_DAYS: days.default(180).describe('maximum lifetime of a session in days'),
  KEY_ENCRYPTION_SECRET: secretText(16).meta({
    description: 'at least 16 characters; encrypts the private signing keys in the database and derives refresh tokens',
    secret: true,
  }),
  KEY_ENCRYPTION_SECRET_PREVIOUS: z.string().min(16, 'must have at least 16 characters').optional().meta({
    description: 'previous value, accepted during a rotation ([secrets](secrets.md#key_encryption_secret))',
    secret: true,
  }),
  LINK_SEALING_KEY: linkSealingKey,
});

export type Config = z.infer<typeof schema>;

export function readConfig(source: NodeJS.ProcessEnv): Config {
  return readEnv(schema, source);
}
