import type { EventOf } from '@atrium/proto-events/event';
import { meetingReplied } from '@atrium/proto-events/events/notifications';
import { type Messaging, publishWithoutOutbox } from '@atrium/service-kit/messaging/messaging';
import { outboxRow } from '@atrium/service-kit/messaging/outbox';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { ServiceContext } from '@atrium/service-kit/service/service-definition';
import type { ImapFlow } from 'imapflow';
import type { Config } from '../config.ts';
import { type Replies, readReplyEmail } from './read-reply-email.ts';

/** `source` is undefined for emails too large to be an RSVP reply. */
type UnreadEmail = { uid: number; source: Uint8Array | undefined };

const MAX_REPLY_BYTES = 512 * 1_024;
const BATCH_SIZE = 50;
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Processes a bounded number of unseen emails of a mailbox (`imaps://user:password@host/INBOX`) and marks each as seen
 * after `handle`; failed ones are retried. Returns whether there may be more.
 */
async function processUnread(url: string, handle: (email: UnreadEmail) => Promise<void>): Promise<boolean> {
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
  handle: (email: UnreadEmail) => Promise<void>,
): Promise<boolean> {
  const lock = await client.getMailboxLock(folder);
  try {
    const unread = (await client.search({ seen: false }, { uid: true })) || [];
    for (const uid of unread.slice(0, BATCH_SIZE)) {
      const metadata = await client.fetchOne(String(uid), { size: true }, { uid: true });
      // The email was deleted by another client.
      if (!metadata) continue;
      const isLarge = (metadata.size ?? 0) > MAX_REPLY_BYTES;
      const message = isLarge ? undefined : await client.fetchOne(String(uid), { source: true }, { uid: true });
      await handle({ uid, source: message ? message.source : undefined });
      await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true });
    }
    return unread.length > BATCH_SIZE;
  } finally {
    lock.release();
  }
}

/**
 * Polls the mailbox, if one is configured, on every pod: event ids derive from the content, so repeated replies are
 * deduplicated.
 */
export function startReplyLoop(context: ServiceContext<Config>, replies: Replies | undefined): PollingLoop | undefined {
  const { config, log, directory } = context;
  const { REPLIES_IMAP_URL: url } = config;
  if (url === undefined || replies === undefined) return undefined;
  let messaging: Messaging | undefined;
  const loop = startPollingLoop({
    name: 'RSVP replies',
    intervalMs: config.REPLIES_POLL_INTERVAL_SECONDS * 1_000,
    log,
    async round() {
      // Until NATS and the directory are available, emails stay unread.
      const connectedMessaging = messaging;
      if (!connectedMessaging || !Number.isFinite(directory.ageMs())) return false;
      return processUnread(url, async ({ source }) => {
        const emailReplies = source ? await readReplyEmail(source, { ...replies, directory }) : [];
        // An invalid reply would be retried forever and block all later emails.
        const validReplies = emailReplies.filter(({ reply }) => meetingReplied.data.safeParse(reply).success);
        if (validReplies.length < emailReplies.length) log.warn('Skipped invalid RSVP reply');
        for (const { id, reply } of validReplies) await publish(connectedMessaging, id, reply);
        log.info({ replies: validReplies.length }, 'Processed RSVP reply email');
      });
    },
  });
  void context.messaging.then((connected) => {
    messaging = connected;
    loop.wake();
  });
  return loop;
}

function publish(messaging: Messaging, id: string, data: EventOf<typeof meetingReplied>['data']): Promise<void> {
  const row = outboxRow({ event: meetingReplied, data, aggregate: data.calendarId, actorId: data.userId, id });
  return publishWithoutOutbox(messaging, 'notifications', row);
}
