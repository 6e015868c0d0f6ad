import type { ImapFlow } from 'imapflow';

/** A mail that nobody has looked at; without its source where that is larger than any answer. */
export type UnreadMail = { uid: number; source: Uint8Array | undefined };

/** A calendar program's answer has some kilobytes; what is larger is none. */
const MOST_BYTES = 512 * 1_024;
const AT_ONCE = 50;
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Takes the mails of a mailbox (`imaps://user:password@host/INBOX`) that are not marked as seen, a bounded number, and marks each once
 * `handle` is done with it: one that fails comes again. Answers whether there may be more.
 */
export async function takeUnread(url: string, handle: (mail: UnreadMail) => Promise<void>): Promise<boolean> {
  const { hostname, port, protocol, username, password, pathname } = new URL(url);
  // Loaded where a mailbox is configured, and nowhere else.
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
  // What breaks is told by the call that waits for it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await takeFrom(client, decodeURIComponent(pathname.slice(1)) || 'INBOX', handle);
  } finally {
    await client.logout().catch(() => client.close());
  }
}

async function takeFrom(
  client: ImapFlow,
  folder: string,
  handle: (mail: UnreadMail) => Promise<void>,
): Promise<boolean> {
  const lock = await client.getMailboxLock(folder);
  try {
    const unread = (await client.search({ seen: false }, { uid: true })) || [];
    for (const uid of unread.slice(0, AT_ONCE)) {
      const about = await client.fetchOne(String(uid), { size: true }, { uid: true });
      // Somebody else has removed it.
      if (!about) continue;
      const isLarge = (about.size ?? 0) > MOST_BYTES;
      const whole = isLarge ? undefined : await client.fetchOne(String(uid), { source: true }, { uid: true });
      await handle({ uid, source: whole ? whole.source : undefined });
      await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true });
    }
    return unread.length > AT_ONCE;
  } finally {
    lock.release();
  }
}
