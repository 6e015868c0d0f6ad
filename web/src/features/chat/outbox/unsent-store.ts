import { deleteDraft, getDraft, saveDraft } from '../../../lib/forms/drafts.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { createUserScopedStore, type Owner } from '../../../lib/session/user-scoped-store.ts';

/** A message that was sent and has not arrived yet, stored on the device in case the page closes first. Files cannot be stored. */
export type Unsent = {
  clientMessageId: string;
  content: string;
  createdAt: string;
  hasFiles?: true;
  /** The message with files whose text this is: should that have arrived, this one is not needed. */
  replaces?: string | undefined;
};

const placeOf = (conversation: string) => `chat:${conversation}:sending`;

/** Messages in the outbox of this page, by id, with what releases their locks. */
const held = createUserScopedStore(
  () => new Map<string, () => void>(),
  (left) => {
    for (const release of left.values()) release();
  },
);

/** Messages of other pages, by id, with what ends the wait for their locks. */
const awaited = createUserScopedStore(
  () => new Map<string, AbortController>(),
  (left) => {
    for (const waiting of left.values()) waiting.abort();
  },
);

/** Held by the page that has a message in its outbox for as long as the page is open; unavailable without HTTPS, except on localhost. */
const locks = (): LockManager | undefined => navigator.locks;
const lockOf = (clientMessageId: string) => `atrium:sending:${clientMessageId}`;

export function unsentOf(owner: Owner, conversation: string): Unsent[] {
  const stored = getDraft(placeOf(conversation), owner);
  return Array.isArray(stored) ? stored.filter(isUnsent) : [];
}

/** Stores a message that is in the outbox of this page from now on. */
export function storeUnsent(owner: Owner, conversation: string, unsent: Unsent): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  held.get().set(unsent.clientMessageId, resolve);
  void locks()?.request(lockOf(unsent.clientMessageId), () => promise);
  const others = unsentOf(owner, conversation).filter((one) => one.clientMessageId !== unsent.clientMessageId);
  write(owner, conversation, [...others, unsent]);
}

/** It arrived, or left the outbox of this page. */
export function removeUnsent(owner: Owner, conversation: string, clientMessageId: string): void {
  const all = unsentOf(owner, conversation);
  const others = all.filter((one) => one.clientMessageId !== clientMessageId);
  if (others.length < all.length) write(owner, conversation, others);
  // Another page that waits for its lock reads what is stored.
  held.get().get(clientMessageId)?.();
  held.get().delete(clientMessageId);
}

/**
 * Passes on messages of pages that are gone, once each: they may have arrived or not. A page that closes may hold its locks for a moment
 * longer, and another tab may be sending, so each lock is waited for.
 */
export function restoreUnsent(owner: Owner, conversation: string, adopt: (unsent: Unsent) => void): void {
  const waits = awaited.get();
  for (const unsent of unsentOf(owner, conversation)) {
    const { clientMessageId } = unsent;
    if (held.get().has(clientMessageId) || waits.has(clientMessageId)) continue;
    const recover = () => {
      waits.delete(clientMessageId);
      if (unsentOf(owner, conversation).some((one) => one.clientMessageId === clientMessageId)) adopt(unsent);
    };
    const manager = locks();
    if (!manager) {
      recover();
      continue;
    }
    const waiting = new AbortController();
    waits.set(clientMessageId, waiting);
    manager.request(lockOf(clientMessageId), { signal: waiting.signal }, recover).catch(() => undefined);
  }
}

function write(owner: Owner, conversation: string, unsent: readonly Unsent[]): void {
  if (unsent.length === 0) deleteDraft(owner, placeOf(conversation));
  else saveDraft(owner, placeOf(conversation), unsent);
}

function isUnsent(value: unknown): value is Unsent {
  return (
    isRecord(value) &&
    typeof value.clientMessageId === 'string' &&
    typeof value.content === 'string' &&
    typeof value.createdAt === 'string'
  );
}
