import { isIP } from 'node:net';
import { baseEnv, readEnv } from '@atrium/service-kit/process/env';
import { keyBytes, secretUrl } from '@atrium/service-kit/process/secret-value';
import { linkSealingKey, publicUrl } from '@atrium/service-kit/process/shared-variables';
import { z } from 'zod';

export const schema = baseEnv
  .extend({
    MONGO_URL: secretUrl.meta({
      description:
        'its MongoDB database, with user and password; `tls=true` in the address encrypts, `tlsCAFile=…` names an authority of one’s own',
      secret: true,
    }),
    SMTP_URL: secretUrl.optional().meta({
      description:
        'the mail server, with user and password. Without one mails stay queued, and whoever waits for one is told so',
      secret: true,
    }),
    SMTP_CONNECTIONS: z.coerce
      .number()
      .int()
      .min(1)
      .max(100)
      .default(5)
      .describe('how many emails each pod sends at the same time, each over a connection of its own'),
    SMTP_TIMEOUT_SECONDS: z.coerce
      .number()
      .min(1)
      .max(3_600)
      .default(600)
      .describe(
        'how long the mail server may take to respond. A shorter time than the ten minutes of RFC 5321 makes a server that scans content receive emails more than once',
      ),
    MAIL_FROM: z
      .string()
      .min(3)
      .optional()
      .describe('the sender of mails; `no-reply` at the domain of `PUBLIC_URL` unless told'),
    REPLIES_ADDRESS: z
      .email()
      .optional()
      .describe(
        'the address to which calendar programs send answers to invitations, where `REPLIES_IMAP_URL` reads them: mail to `calendar+…@` has to come where `calendar@` does. Without one they go to the organiser',
      ),
    REPLIES_IMAP_URL: secretUrl.optional().meta({
      description:
        'the mailbox of `REPLIES_ADDRESS`, `imaps://user:password@host/INBOX`, for nothing else: what is in it is marked as read',
      secret: true,
    }),
    REPLIES_POLL_INTERVAL_SECONDS: z.coerce
      .number()
      .min(0.1)
      .default(20)
      .describe('how often each pod looks into the mailbox of `REPLIES_IMAP_URL`'),
    PUBLIC_URL: publicUrl,
    WORKSPACE_NAME: z.string().min(1).max(80).default('Atrium').describe('the name of the workspace in mails'),
    LINK_SEALING_KEY: linkSealingKey,
    LINK_SEALING_KEY_PREVIOUS: keyBytes.optional().meta({
      description: 'another one that opens links beside it while it is changed ([how](secrets.md#link_sealing_key))',
      secret: true,
    }),
  })
  .refine(
    ({ REPLIES_ADDRESS, REPLIES_IMAP_URL }) => (REPLIES_ADDRESS === undefined) === (REPLIES_IMAP_URL === undefined),
    { path: ['REPLIES_ADDRESS'], error: 'answers by mail need both REPLIES_ADDRESS and REPLIES_IMAP_URL' },
  )
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

/** Of links and of addresses of answers: the first makes them, each opens them. */
export const sealingKeys = ({ LINK_SEALING_KEY, LINK_SEALING_KEY_PREVIOUS }: Config): Uint8Array[] =>
  [LINK_SEALING_KEY, LINK_SEALING_KEY_PREVIOUS].filter((key) => key !== undefined);
