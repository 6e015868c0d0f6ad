import type { ImapFlow } from 'imapflow';

/** `source` is undefined for emails too large to be an RSVP reply. */
export type UnreadEmail = { uid: number; source: Uint8Array | undefined };

/** RSVP replies are a few kilobytes; larger emails are ignored. */
const MAX_REPLY_BYTES = 512 * 1_024;
const BATCH_SIZE = 50;
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Processes a bounded number of unseen emails of a mailbox (`imaps://user:password@host/INBOX`) and marks each as seen after `handle`;
 * failed ones are retried. Returns whether there may be more.
 */
export async function processUnread(url: string, handle: (email: UnreadEmail) => Promise<void>): Promise<boolean> {
  const { hostname, port, protocol, username, password, pathname } = new URL(url);
  // Loaded only if a mailbox is configured.
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
      const about = await client.fetchOne(String(uid), { size: true }, { uid: true });
      // Deleted by another client.
      if (!about) continue;
      const isLarge = (about.size ?? 0) > MAX_REPLY_BYTES;
      const whole = isLarge ? undefined : await client.fetchOne(String(uid), { source: true }, { uid: true });
      await handle({ uid, source: whole ? whole.source : undefined });
      await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true });
    }
    return unread.length > BATCH_SIZE;
  } finally {
    lock.release();
  }
}
