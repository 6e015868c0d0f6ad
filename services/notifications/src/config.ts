import { isIP } from 'node:net';
import { baseEnv, readEnv } from '@atrium/service-kit/config/env';
import { keyBytes, secretKey, secretUrl } from '@atrium/service-kit/config/secret-value';
import {
  commaSeparated,
  linkSealingKey,
  publicUrl,
  sessionIdleDays,
} from '@atrium/service-kit/config/shared-variables';
import { z } from 'zod';
import { MAX_BASE_LENGTH } from './email/reply-address.ts';
import { DEFAULT_PUSH_HOSTS, isHostPattern } from './push/push-hosts.ts';
import { isPushKey } from './push/push-keys.ts';

export const schema = baseEnv
  .extend({
    MONGO_URL: secretUrl.meta({
      description:
        'MongoDB database, with user and password; `tls=true` in the URL for TLS, `tlsCAFile=…` for a private certificate authority',
      secret: true,
    }),
    SMTP_URL: secretUrl.optional().meta({
      description:
        'mail server, with user and password. Without one, emails stay queued, and screens that wait for an email say so',
      secret: true,
    }),
    SMTP_CONNECTIONS: z.coerce
      .number()
      .int()
      .min(1)
      .max(100)
      .default(5)
      .describe('concurrent connections of each pod to the mail server'),
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
      .describe('sender of emails; defaults to `no-reply` at the domain of `PUBLIC_URL`'),
    REPLIES_ADDRESS: z
      .email()
      .refine(
        (address) => address.lastIndexOf('@') <= MAX_BASE_LENGTH,
        `has more than ${MAX_BASE_LENGTH} characters before the @`,
      )
      .optional()
      .describe(
        `address to which users reply by email, to comments and messages, and calendar apps to invitations; read through \`REPLIES_IMAP_URL\`. Email to \`replies+…@\` must arrive in the same mailbox as \`replies@\`; at most ${MAX_BASE_LENGTH} characters before the @. Without one, replies to invitations go to the organizer, and other emails cannot be replied to`,
      ),
    REPLIES_IMAP_URL: secretUrl.optional().meta({
      description:
        'mailbox of `REPLIES_ADDRESS`, `imaps://user:password@host/INBOX`. Use it for nothing else: all of its emails are marked as read',
      secret: true,
    }),
    REPLIES_POLL_INTERVAL_SECONDS: z.coerce
      .number()
      .min(0.1)
      .default(20)
      .describe('how often each pod checks the mailbox of `REPLIES_IMAP_URL`'),
    PUBLIC_URL: publicUrl,
    WORKSPACE_NAME: z.string().min(1).max(80).default('Atrium').describe('name of the workspace in emails'),
    LINK_SEALING_KEY: linkSealingKey,
    LINK_SEALING_KEY_PREVIOUS: keyBytes.optional().meta({
      description: 'previous value, accepted during a rotation ([secrets](secrets.md#link_sealing_key))',
      secret: true,
    }),
    SESSION_IDLE_DAYS: sessionIdleDays,
    VAPID_PRIVATE_KEY: secretKey.refine(isPushKey, 'is not a private key of P-256').optional().meta({
      description:
        'private key that signs push messages to browsers, 32 bytes in base64url. Without one, nothing is pushed',
      secret: true,
    }),
    VAPID_PRIVATE_KEY_PREVIOUS: keyBytes.refine(isPushKey, 'is not a private key of P-256').optional().meta({
      description: 'previous value, for browsers that subscribed with it ([secrets](secrets.md#vapid_private_key))',
      secret: true,
    }),
    PUSH_HOSTS: commaSeparated
      .prefault(DEFAULT_PUSH_HOSTS)
      .refine((hosts) => hosts.every(isHostPattern), 'holds an item that is neither a host nor an origin')
      .describe(
        'push services to which messages are sent, as hosts, `*.` and a domain, or origins; browsers choose theirs',
      ),
  })
  .refine(
    ({ REPLIES_ADDRESS, REPLIES_IMAP_URL }) => (REPLIES_ADDRESS === undefined) === (REPLIES_IMAP_URL === undefined),
    { path: ['REPLIES_ADDRESS'], error: 'Set both REPLIES_ADDRESS and REPLIES_IMAP_URL, or neither' },
  )
  .transform((env) => {
    const domain = mailDomain(env.PUBLIC_URL);
    const sender = `"${env.WORKSPACE_NAME.replace(/["\\]/g, '')}" <no-reply@${domain}>`;
    const from = env.MAIL_FROM ?? sender;
    return { ...env, MAIL_FROM: from, MAIL_ADDRESS: /<([^<>]+)>/.exec(from)?.[1] ?? from, MAIL_DOMAIN: domain };
  });

export type Config = z.infer<typeof schema>;

/** Falls back to `localhost` for IP addresses, which are not valid email domains. */
function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return isIP(hostname.replace(/[[\]]/g, '')) === 0 ? hostname : 'localhost';
}

export function readConfig(source: NodeJS.ProcessEnv): Config {
  return readEnv(schema, source);
}

/** Keys of sealed links and reply addresses: the first seals, any of them opens. */
export const sealingKeys = ({ LINK_SEALING_KEY, LINK_SEALING_KEY_PREVIOUS }: Config): Uint8Array[] =>
  [LINK_SEALING_KEY, LINK_SEALING_KEY_PREVIOUS].filter((key) => key !== undefined);

/** Keys that sign push messages: browsers subscribe with the first one. */
export const pushPrivateKeys = ({ VAPID_PRIVATE_KEY, VAPID_PRIVATE_KEY_PREVIOUS }: Config): Uint8Array[] =>
  VAPID_PRIVATE_KEY === undefined
    ? []
    : [VAPID_PRIVATE_KEY, VAPID_PRIVATE_KEY_PREVIOUS].filter((key) => key !== undefined);
