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
  createdAt: string;
  hasFiles?: true;
  /** The message with files that this text replaces; if that arrived, this one is not needed. */
  replaces?: string | undefined;
};

const storageKey = (conversationId: string) => `chat:${conversationId}:sending`;

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

export function listUnconfirmed(owner: Owner, conversationId: string): UnconfirmedMessage[] {
  const storedDraft = getDraft(storageKey(conversationId), owner);
  return Array.isArray(storedDraft) ? storedDraft.filter(isUnconfirmed) : [];
}

export function storeUnconfirmed(owner: Owner, conversationId: string, message: UnconfirmedMessage): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  lockReleases.get().set(message.clientMessageId, resolve);
  void locks()?.request(getLockName(message.clientMessageId), () => promise);
  const otherMessages = listUnconfirmed(owner, conversationId).filter(
    (other) => other.clientMessageId !== message.clientMessageId,
  );
  write(owner, conversationId, [...otherMessages, message]);
}

export function removeUnconfirmed(owner: Owner, conversationId: string, clientMessageId: string): void {
  const all = listUnconfirmed(owner, conversationId);
  const otherMessages = all.filter((other) => other.clientMessageId !== clientMessageId);
  if (otherMessages.length < all.length) write(owner, conversationId, otherMessages);
  // Another page waiting for its lock reads the stored message.
  lockReleases.get().get(clientMessageId)?.();
  lockReleases.get().delete(clientMessageId);
}

/**
 * Adopts messages of closed pages, once each; they may or may not have arrived. Waits for the lock of each message: a
 * closing page may hold its locks a little longer, and another tab may be sending.
 */
export function restoreUnconfirmed(
  owner: Owner,
  conversationId: string,
  adopt: (message: UnconfirmedMessage) => void,
): void {
  const waits = lockWaits.get();
  for (const message of listUnconfirmed(owner, conversationId)) {
    const { clientMessageId } = message;
    if (lockReleases.get().has(clientMessageId) || waits.has(clientMessageId)) continue;
    const recover = () => {
      waits.delete(clientMessageId);
      if (listUnconfirmed(owner, conversationId).some((other) => other.clientMessageId === clientMessageId))
        adopt(message);
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

function write(owner: Owner, conversationId: string, messages: readonly UnconfirmedMessage[]): void {
  if (messages.length === 0) deleteDraft(owner, storageKey(conversationId));
  else saveDraft(owner, storageKey(conversationId), messages);
}

function isUnconfirmed(value: unknown): value is UnconfirmedMessage {
  return (
    isRecord(value) &&
    typeof value.clientMessageId === 'string' &&
    typeof value.content === 'string' &&
    typeof value.createdAt === 'string'
  );
}
