import type { MentionLabels } from '#entities/conversation/mention-labels.ts';
import { deleteDraft, getDraft, saveDraft } from '#lib/forms/drafts.ts';
import { isRecord } from '#lib/is-record.ts';
import { createUserScopedStore, type Owner } from '#lib/session/user-scoped-store.ts';

/**
 * Stored on the device in case the page closes, as a draft (`lib/forms/drafts.ts`), so that logging out deletes it, too.
 * Files cannot be stored.
 */
export type UnconfirmedMessage = {
  clientMessageId: string;
  content: string;
  /** The names that its mentions show. */
  labels?: MentionLabels | undefined;
  createdAt: string;
  hasFiles?: true;
  /** Of a reply. */
  alsoInConversation?: true | undefined;
  /** The message with files that this text replaces; if that arrived, this one is not needed. */
  replaces?: string | undefined;
};

const storageKey = (logId: string) => `chat:${logId}:sending`;

/** Messages of this page's send queue by id, with functions that release their locks. */
const lockReleases = createUserScopedStore(
  () => new Map<string, () => void>(),
  (previous) => {
    for (const release of previous.values()) release();
  },
);

/** Messages of other pages by id, with functions that stop waiting for their locks. */
const lockWaits = createUserScopedStore(
  () => new Map<string, AbortController>(),
  (previous) => {
    for (const controller of previous.values()) controller.abort();
  },
);

/**
 * A page holds a lock for each message in its send queue while it is open. Locks are unavailable without HTTPS, except
 * on localhost.
 */
const locks = (): LockManager | undefined => navigator.locks;
const getLockName = (clientMessageId: string) => `atrium:sending:${clientMessageId}`;

export function listUnconfirmed(owner: Owner, logId: string): UnconfirmedMessage[] {
  const storedDraft = getDraft(storageKey(logId), owner);
  return Array.isArray(storedDraft) ? storedDraft.filter(isUnconfirmed) : [];
}

export function storeUnconfirmed(owner: Owner, logId: string, message: UnconfirmedMessage): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  lockReleases.get().set(message.clientMessageId, resolve);
  void locks()?.request(getLockName(message.clientMessageId), () => promise);
  const otherMessages = listUnconfirmed(owner, logId).filter(
    (other) => other.clientMessageId !== message.clientMessageId,
  );
  write(owner, logId, [...otherMessages, message]);
}

export function removeUnconfirmed(owner: Owner, logId: string, clientMessageId: string): void {
  const all = listUnconfirmed(owner, logId);
  const otherMessages = all.filter((other) => other.clientMessageId !== clientMessageId);
  if (otherMessages.length < all.length) write(owner, logId, otherMessages);
  // Another page waiting for its lock reads the stored message.
  lockReleases.get().get(clientMessageId)?.();
  lockReleases.get().delete(clientMessageId);
}

/**
 * Adopts messages of closed pages, once each; they may or may not have arrived. Waits for the lock of each message: a
 * closing page may hold its locks a little longer, and another tab may be sending.
 */
export function restoreUnconfirmed(owner: Owner, logId: string, adopt: (message: UnconfirmedMessage) => void): void {
  const waits = lockWaits.get();
  for (const message of listUnconfirmed(owner, logId)) {
    const { clientMessageId } = message;
    if (lockReleases.get().has(clientMessageId) || waits.has(clientMessageId)) continue;
    const recover = () => {
      waits.delete(clientMessageId);
      if (listUnconfirmed(owner, logId).some((other) => other.clientMessageId === clientMessageId)) adopt(message);
    };
    const manager = locks();
    if (!manager) {
      recover();
      continue;
    }
    const controller = new AbortController();
    waits.set(clientMessageId, controller);
    manager.request(getLockName(clientMessageId), { signal: controller.signal }, recover).catch(() => undefined);
  }
}

function write(owner: Owner, logId: string, messages: readonly UnconfirmedMessage[]): void {
  if (messages.length === 0) deleteDraft(owner, storageKey(logId));
  else saveDraft(owner, storageKey(logId), messages);
}

function isUnconfirmed(value: unknown): value is UnconfirmedMessage {
  return (
    isRecord(value) &&
    typeof value.clientMessageId === 'string' &&
    typeof value.content === 'string' &&
    typeof value.createdAt === 'string'
  );
}
