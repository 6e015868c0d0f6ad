import { useMemo, useSyncExternalStore } from 'react';
import { ApiError, isFinal, messageOf } from '#lib/api/api-error.ts';
import { newUuid } from '#lib/new-uuid.ts';
import { isDeferredByServer, retryWhile } from '#lib/sending/retry-while.ts';
import {
  abortAll,
  createSendQueue,
  emptyQueue,
  type QueueEntry,
  type QueueState,
  type SendHandlers,
  type SendOptions,
} from '#lib/sending/send-queue.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { onConnected } from '#realtime/connection/status.ts';
import { showErrorToast } from '#ui/overlays/toast.ts';
import { hasFiles, returnFiles, type SentFiles, takeFiles, withdrawFiles } from '../files/attachment-drafts.ts';
import { jumpToLatest } from '../log/load-messages.ts';
import {
  clearReturnReason,
  FILES_LOST,
  findReturnedId,
  getConversationDraft,
  isComposerEmpty,
  recordReturnReason,
  returnText,
  withdrawReturned,
} from './drafts.ts';
import { postMessage, postWithFiles } from './post-message.ts';
import {
  listUnconfirmed,
  removeUnconfirmed,
  restoreUnconfirmed,
  storeUnconfirmed,
  type UnconfirmedMessage,
} from './unconfirmed-messages.ts';

/*
 * The states of a message, in order:
 * 1. Draft: text and files in the composer (`drafts.ts`, `attachment-drafts.ts`).
 * 2. Outgoing: in this page's send queue, and unconfirmed: its text is stored on the device until the server responds
 *    (`unconfirmed-messages.ts`), because the page may close without knowing whether it arrived.
 * 3. Sent: in the message log (`../log`).
 * If sending fails, it stays in the queue as failed or returns to the composer as a draft (`returned`).
 */
export type Outgoing = SentFiles & { conversation: string; createdAt: string; replaces?: string | undefined };

const FAILED = 'Failed to send message';
const PAGE_CLOSED = 'The page was closed before the message was sent.';
const MAX_CONCURRENT_CONVERSATIONS = 6;

const store = createUserScopedStore<QueueState<Outgoing>>(emptyQueue, abortAll);

/**
 * Sends one message per conversation at a time, in order; those queued behind a connection failure fail with it. The
 * only failed message returns to an empty composer. Others stay until the user resends, edits, or removes them, or until
 * the browser reconnects.
 */
export const outgoing = createSendQueue(store, {
  concurrencyKey: ({ conversation }) => conversation,
  maxConcurrent: MAX_CONCURRENT_CONVERSATIONS,
  failsQueued: (cause) => !isFinal(cause),
  // Text is stored on the device; files are lost with the tab.
  blocksUnload: ({ item }) => item.files.length > 0,
});

const sendHandlers: SendHandlers<Outgoing> = {
  send,
  explain(error) {
    showErrorToast(error, FAILED);
    return messageOf(error, FAILED);
  },
  onFailed(entry) {
    const { conversation } = entry.item;
    if (!isOnlyUnconfirmed(conversation) || !isEmpty(conversation)) return;
    moveToComposer(entry);
  },
};

export function sendFromComposer(conversationId: string, content: string): void {
  // Sending does not depend on the jump.
  jumpToLatest(conversationId).catch(() => undefined);
  clearReturnReason(conversationId);
  const owner = store.owner();
  const sentFiles = hasFiles(conversationId)
    ? takeFiles(conversationId, content)
    : {
        clientMessageId: findReturnedId(getConversationDraft(owner, conversationId), content) ?? newUuid(),
        content,
        files: [],
      };
  const message = { ...sentFiles, conversation: conversationId, createdAt: new Date().toISOString() };
  storeUnconfirmed(owner, conversationId, toUnconfirmed(message));
  outgoing.enqueue([message], sendHandlers);
}

function toUnconfirmed({ clientMessageId, content, createdAt, files, replaces }: Outgoing): UnconfirmedMessage {
  return { clientMessageId, content, createdAt, replaces, ...(files.length > 0 && { hasFiles: true }) };
}

async function send(message: Outgoing, options: SendOptions): Promise<void> {
  const { conversation, clientMessageId, files } = message;
  const owner = store.owner();
  const post = () =>
    files.length > 0 ? postWithFiles(conversation, message, options) : postMessage(conversation, message);
  await retryWhile(post, { ...options, isRetryable: isDeferredByServer });
  removeUnconfirmed(owner, conversation, clientMessageId);
}

/** Resends a failed message, then those that failed because of it. */
export function retry({ id, item, cause }: QueueEntry<Outgoing>): void {
  const entries = listEntries(item.conversation);
  const behind = entries.slice(entries.findIndex((entry) => entry.id === id) + 1);
  outgoing.retry(id);
  for (const entry of behind)
    if (cause !== undefined && entry.state === 'failed' && entry.cause === cause) outgoing.retry(entry.id);
}

export function moveToComposer(entry: QueueEntry<Outgoing>): void {
  const { item } = entry;
  removeOutgoing(entry);
  returnText(store.owner(), item.conversation, toUnconfirmed(item));
  if (item.files.length > 0) returnFiles(item.conversation, item);
  recordReturnReason(item.conversation, entry.error ?? '');
}

/** Removes a message, and prevents its recovery by the next page. */
export function removeOutgoing({ id, item }: QueueEntry<Outgoing>): void {
  outgoing.cancel(id);
  removeUnconfirmed(store.owner(), item.conversation, item.clientMessageId);
}

/** Cancels all messages of a deleted or left conversation; only their text is restored. */
export function dropOutgoing(conversationId: string): void {
  for (const entry of listEntries(conversationId).toReversed()) {
    removeOutgoing(entry);
    returnText(store.owner(), conversationId, toUnconfirmed(entry.item));
  }
}

/** Removes messages that arrived although their responses were lost from the queue and from the composer. */
export function removeArrived(conversationId: string, isInLog: (clientMessageId: string) => boolean): void {
  const owner = store.owner();
  const hasArrived = ({ clientMessageId, replaces }: Pick<UnconfirmedMessage, 'clientMessageId' | 'replaces'>) =>
    isInLog(clientMessageId) || (replaces !== undefined && isInLog(replaces));
  for (const entry of listEntries(conversationId))
    if (entry.state === 'failed' && hasArrived(entry.item)) removeOutgoing(entry);
  for (const unconfirmed of listUnconfirmed(owner, conversationId))
    if (hasArrived(unconfirmed)) removeUnconfirmed(owner, conversationId, unconfirmed.clientMessageId);
  const isTextWithdrawn = withdrawReturned(owner, conversationId, hasArrived);
  const areFilesWithdrawn = withdrawFiles(conversationId, isInLog);
  if (isTextWithdrawn || areFilesWithdrawn || isEmpty(conversationId)) clearReturnReason(conversationId);
}

export function recoverOutgoing(conversationId: string): void {
  const owner = store.owner();
  restoreUnconfirmed(owner, conversationId, (unconfirmed) => {
    if (store.owner() !== owner) return;
    removeUnconfirmed(owner, conversationId, unconfirmed.clientMessageId);
    const otherCount = listUnconfirmed(owner, conversationId).length + listEntries(conversationId).length;
    const { content, createdAt } = unconfirmed;
    // A message without its files is a different message.
    const clientMessageId = unconfirmed.hasFiles ? newUuid() : unconfirmed.clientMessageId;
    const replaces = unconfirmed.hasFiles ? unconfirmed.clientMessageId : unconfirmed.replaces;
    const reason = replaces === undefined ? PAGE_CLOSED : FILES_LOST;
    if (content !== '' && otherCount === 0 && isEmpty(conversationId)) {
      returnText(owner, conversationId, unconfirmed);
      return recordReturnReason(conversationId, reason);
    }
    const message = { conversation: conversationId, clientMessageId, content, createdAt, files: [], replaces };
    storeUnconfirmed(owner, conversationId, toUnconfirmed(message));
    outgoing.restore(message, sendHandlers, reason);
  });
}

const listEntries = (conversationId: string) =>
  outgoing.current().filter(({ item }) => item.conversation === conversationId);

const isOnlyUnconfirmed = (conversationId: string) =>
  listEntries(conversationId).length === 1 && listUnconfirmed(store.owner(), conversationId).length <= 1;

const isEmpty = (conversationId: string) =>
  isComposerEmpty(getConversationDraft(store.owner(), conversationId)) && !hasFiles(conversationId);

function resendAfterReconnect(): void {
  for (const { id, state, cause } of outgoing.current())
    if (state === 'failed' && cause instanceof ApiError && cause.code === 'network') outgoing.retry(id);
}

onConnected(resendAfterReconnect);
window.addEventListener('online', resendAfterReconnect);

export type PendingMessage = { clientMessageId: string; content: string; createdAt: string };

/** Pending and failed messages of a conversation; each row reads its own progress. */
export function useOutgoing(conversationId: string): readonly PendingMessage[] {
  const ids = useSyncExternalStore(outgoing.subscribe, () =>
    listEntries(conversationId)
      .map(({ item }) => item.clientMessageId)
      .join(),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ids` stands for the entries
  return useMemo(
    () =>
      listEntries(conversationId).map(({ item: { clientMessageId, content, createdAt } }) => ({
        clientMessageId,
        content,
        createdAt,
      })),
    [conversationId, ids],
  );
}

export function useQueueEntry(clientMessageId: string): QueueEntry<Outgoing> | undefined {
  return useSyncExternalStore(outgoing.subscribe, () =>
    outgoing.current().find(({ item }) => item.clientMessageId === clientMessageId),
  );
}
