import { isIP } from 'node:net';
import { baseEnv, readEnv } from '@atrium/service-kit/process/env';
import { z } from 'zod';

const sealingKey = z
  .base64url()
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64url')))
  .refine((key) => key.byteLength === 32, 'must be 32 bytes in base64url');

export const schema = baseEnv
  .extend({
    MONGO_URL: z.string().min(1),
    /** Without a mail server mails stay queued, and whoever waits for one is told so. */
    SMTP_URL: z.string().min(1).optional(),
    MAIL_FROM: z.string().min(3).optional(),
    PUBLIC_URL: z.url().transform((url) => url.replace(/\/+$/, '')),
    WORKSPACE_NAME: z.string().min(1).max(80).default('Atrium'),
    LINK_SEALING_KEY: sealingKey,
  })
  .transform((env) => {
    const domain = mailDomain(env.PUBLIC_URL);
    const sender = `"${env.WORKSPACE_NAME.replace(/["\\]/g, '')}" <no-reply@${domain}>`;
    const from = env.MAIL_FROM ?? sender;
    return { ...env, MAIL_FROM: from, MAIL_ADDRESS: /<([^<>]+)>/.exec(from)?.[1] ?? from, MAIL_DOMAIN: domain };
  });

export type Config = z.infer<typeof schema>;

/** The host that people open; an address of numbers is no domain to write mail from. */
function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return isIP(hostname.replace(/[[\]]/g, '')) === 0 ? hostname : 'localhost';
}

/** The only reader of the environment; throws one error that lists every fault. */
export function readConfig(source: NodeJS.ProcessEnv): Config {
  return readEnv(schema, source);
}
