import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { ServiceContext } from '@atrium/service-kit/service/service-definition';
import type { ImapFlow } from 'imapflow';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import type { Replies } from '../email/reply-address.ts';
import { isKnownUnavailable } from '../store/store.ts';
import { processReplies } from './process-replies.ts';
import { readReplyEmail } from './read-reply-email.ts';

/** Text and RSVPs come before attachments, whose rest is not read. */
const MAX_READ_BYTES = 512 * 1_024;
const BATCH_SIZE = 50;
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Processes a bounded number of unseen emails of a mailbox (`imaps://user:password@host/INBOX`) and marks each as seen
 * after `handle`; failed ones are retried. Returns whether there may be more.
 */
async function processUnread(url: string, handle: (source: Uint8Array) => Promise<void>): Promise<boolean> {
  const { hostname, port, protocol, username, password, pathname } = new URL(url);
  const { ImapFlow: Client } = await import('imapflow');
  const secure = protocol === 'imaps:';
  const client = new Client({
    host: hostname,
    port: Number(port) || (secure ? 993 : 143),
    secure,
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    ...TIMEOUTS,
  });
  // Errors are reported by the pending call.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await processFolder(client, decodeURIComponent(pathname.slice(1)) || 'INBOX', handle);
  } finally {
    await client.logout().catch(() => client.close());
  }
}

async function processFolder(
  client: ImapFlow,
  folder: string,
  handle: (source: Uint8Array) => Promise<void>,
): Promise<boolean> {
  const lock = await client.getMailboxLock(folder);
  try {
    const unread = (await client.search({ seen: false }, { uid: true })) || [];
    for (const uid of unread.slice(0, BATCH_SIZE)) {
      const source = { start: 0, maxLength: MAX_READ_BYTES };
      const message = await client.fetchOne(String(uid), { source }, { uid: true });
      // The email was deleted by another client.
      if (!message) continue;
      crashPoint('after-reading-before-publish');
      if (message.source) await handle(message.source);
      crashPoint('after-publish-before-note');
      await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true });
    }
    return unread.length > BATCH_SIZE;
  } finally {
    lock.release();
  }
}

type LoopDeps = Pick<Deps, 'store' | 'queueEmails'> & { replies: Replies | undefined };

/**
 * Polls the mailbox, if one is configured, on every pod: event ids derive from the content, so repeated replies are
 * deduplicated.
 */
export function startReplyLoop(
  context: ServiceContext<Config>,
  { replies, ...deps }: LoopDeps,
): PollingLoop | undefined {
  const { config, log, directory } = context;
  const { REPLIES_IMAP_URL: url } = config;
  if (url === undefined || replies === undefined) return undefined;
  const options = { ...replies, directory, senderAddress: config.MAIL_ADDRESS };
  let messaging: Messaging | undefined;
  const loop = startPollingLoop({
    name: 'replies by email',
    intervalMs: config.REPLIES_POLL_INTERVAL_SECONDS * 1_000,
    isReportedElsewhere: isKnownUnavailable,
    log,
    async round() {
      // Until NATS and the directory are available, emails stay unread.
      if (!messaging || !Number.isFinite(directory.ageMs())) return false;
      const processDeps = { ...deps, directory, messaging, log };
      return processUnread(url, async (source) => processReplies(processDeps, await readReplyEmail(source, options)));
    },
  });
  void context.messaging.then((connected) => {
    messaging = connected;
    loop.wake();
  });
  return loop;
}
