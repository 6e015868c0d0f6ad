import { deleteDraft, getDraft, saveDraft } from '#lib/forms/drafts.ts';
import { isRecord } from '#lib/is-record.ts';
import { createUserScopedStore, type Owner } from '#lib/session/user-scoped-store.ts';

/** Stored on the device in case the page closes. Files cannot be stored. */
export type Unsent = {
  clientMessageId: string;
  content: string;
  createdAt: string;
  hasFiles?: true;
  /** The message with files that this text replaces; if that arrived, this one is not needed. */
  replaces?: string | undefined;
};

const storageKey = (conversation: string) => `chat:${conversation}:sending`;

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

export function listUnsent(owner: Owner, conversation: string): Unsent[] {
  const storedDraft = getDraft(storageKey(conversation), owner);
  return Array.isArray(storedDraft) ? storedDraft.filter(isUnsent) : [];
}

export function storeUnsent(owner: Owner, conversation: string, unsent: Unsent): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  lockReleases.get().set(unsent.clientMessageId, resolve);
  void locks()?.request(getLockName(unsent.clientMessageId), () => promise);
  const otherUnsent = listUnsent(owner, conversation).filter(
    (other) => other.clientMessageId !== unsent.clientMessageId,
  );
  write(owner, conversation, [...otherUnsent, unsent]);
}

export function removeUnsent(owner: Owner, conversation: string, clientMessageId: string): void {
  const all = listUnsent(owner, conversation);
  const otherUnsent = all.filter((other) => other.clientMessageId !== clientMessageId);
  if (otherUnsent.length < all.length) write(owner, conversation, otherUnsent);
  // Another page waiting for its lock reads the stored message.
  lockReleases.get().get(clientMessageId)?.();
  lockReleases.get().delete(clientMessageId);
}

/**
 * Adopts messages of closed pages, once each; they may or may not have arrived. Waits for the lock of each message: a
 * closing page may hold its locks a little longer, and another tab may be sending.
 */
export function restoreUnsent(owner: Owner, conversation: string, adopt: (unsent: Unsent) => void): void {
  const waits = lockWaits.get();
  for (const unsent of listUnsent(owner, conversation)) {
    const { clientMessageId } = unsent;
    if (lockReleases.get().has(clientMessageId) || waits.has(clientMessageId)) continue;
    const recover = () => {
      waits.delete(clientMessageId);
      if (listUnsent(owner, conversation).some((other) => other.clientMessageId === clientMessageId)) adopt(unsent);
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

function write(owner: Owner, conversation: string, unsent: readonly Unsent[]): void {
  if (unsent.length === 0) deleteDraft(owner, storageKey(conversation));
  else saveDraft(owner, storageKey(conversation), unsent);
}

function isUnsent(value: unknown): value is Unsent {
  return (
    isRecord(value) &&
    typeof value.clientMessageId === 'string' &&
    typeof value.content === 'string' &&
    typeof value.createdAt === 'string'
  );
}
