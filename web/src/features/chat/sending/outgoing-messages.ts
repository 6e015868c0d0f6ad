import { useMemo, useSyncExternalStore } from 'react';
import type { MentionLabels } from '#entities/conversation/mention-labels.ts';
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
import { hasFiles, returnFiles, takeFiles, withdrawFiles } from '../files/attachment-drafts.ts';
import { jumpToLatest } from '../log/load-messages.ts';
import { type Destination, logIdOf } from '../log/log-id.ts';
import {
  clearReturnReason,
  FILES_LOST,
  findReturnedId,
  getMessageDraft,
  isComposerEmpty,
  recordReturnReason,
  returnText,
  withdrawReturned,
} from './drafts.ts';
import { postMessage, postWithFiles } from './post-message.ts';
import { type Outgoing, recordSent } from './sent-messages.ts';
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
const FAILED = 'Failed to send message';
const PAGE_CLOSED = 'The page was closed before the message was sent.';
const MAX_CONCURRENT_LOGS = 6;

const store = createUserScopedStore<QueueState<Outgoing>>(emptyQueue, abortAll);

/**
 * Sends one message per conversation or thread at a time, in order; those queued behind a connection failure fail with it. The
 * only failed message returns to an empty composer. Others stay until the user resends, edits, or removes them, or until
 * the browser reconnects.
 */
export const outgoing = createSendQueue(store, {
  concurrencyKey: ({ destination }) => logIdOf(destination),
  maxConcurrent: MAX_CONCURRENT_LOGS,
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
    const logId = logIdOf(entry.item.destination);
    if (isOnlyUnconfirmed(logId) && isEmpty(logId)) moveToComposer(entry);
  },
};

type SendOptionsOfMessage = { alsoInConversation?: boolean | undefined; labels?: MentionLabels | undefined };

export function sendFromComposer(
  destination: Destination,
  content: string,
  { alsoInConversation = false, labels }: SendOptionsOfMessage = {},
): void {
  const logId = logIdOf(destination);
  // Sending does not depend on the jump.
  jumpToLatest(logId).catch(() => undefined);
  clearReturnReason(logId);
  const owner = store.owner();
  const sentFiles = hasFiles(logId)
    ? takeFiles(logId, content)
    : {
        clientMessageId: findReturnedId(getMessageDraft(owner, logId), content) ?? newUuid(),
        content,
        files: [],
      };
  const placement = { destination, ...(alsoInConversation && { alsoInConversation: true as const }) };
  const message = { ...sentFiles, ...placement, labels, createdAt: new Date().toISOString() };
  storeUnconfirmed(owner, logId, toUnconfirmed(message));
  outgoing.enqueue([message], sendHandlers);
}

function toUnconfirmed({ files, ...message }: Outgoing): UnconfirmedMessage {
  const { clientMessageId, content, labels, createdAt, replaces, alsoInConversation } = message;
  return {
    clientMessageId,
    content,
    labels,
    createdAt,
    replaces,
    ...(alsoInConversation && { alsoInConversation }),
    ...(files.length > 0 && { hasFiles: true }),
  };
}

async function send(message: Outgoing, options: SendOptions): Promise<void> {
  const { destination, clientMessageId, files } = message;
  const owner = store.owner();
  const post = () => (files.length > 0 ? postWithFiles(message, options) : postMessage(message));
  const sentMessage = await retryWhile(post, { ...options, isRetryable: isDeferredByServer });
  removeUnconfirmed(owner, logIdOf(destination), clientMessageId);
  recordSent(owner, message, sentMessage);
}

/** Resends a failed message, then those that failed because of it. */
export function retry({ id, item, cause }: QueueEntry<Outgoing>): void {
  const entries = listEntries(logIdOf(item.destination));
  const behind = entries.slice(entries.findIndex((entry) => entry.id === id) + 1);
  outgoing.retry(id);
  for (const entry of behind)
    if (cause !== undefined && entry.state === 'failed' && entry.cause === cause) outgoing.retry(entry.id);
}

export function moveToComposer(entry: QueueEntry<Outgoing>): void {
  const { item } = entry;
  const logId = logIdOf(item.destination);
  removeOutgoing(entry);
  returnText(store.owner(), logId, toUnconfirmed(item));
  if (item.files.length > 0) returnFiles(logId, item);
  recordReturnReason(logId, entry.error ?? '');
}

/** Removes a message, and prevents its recovery by the next page. */
export function removeOutgoing({ id, item }: QueueEntry<Outgoing>): void {
  outgoing.cancel(id);
  removeUnconfirmed(store.owner(), logIdOf(item.destination), item.clientMessageId);
}

/** Cancels all messages of a deleted or left conversation and its threads; only their text is restored. */
export function dropOutgoing(conversationId: string): void {
  const isInIt = ({ item }: QueueEntry<Outgoing>) => item.destination.conversation === conversationId;
  for (const entry of outgoing.current().filter(isInIt).toReversed()) {
    removeOutgoing(entry);
    returnText(store.owner(), logIdOf(entry.item.destination), toUnconfirmed(entry.item));
  }
}

/** Removes messages that arrived although their responses were lost from the queue and from the composer. */
export function removeArrived(logId: string, isInLog: (clientMessageId: string) => boolean): void {
  const owner = store.owner();
  const hasArrived = ({ clientMessageId, replaces }: Pick<UnconfirmedMessage, 'clientMessageId' | 'replaces'>) =>
    isInLog(clientMessageId) || (replaces !== undefined && isInLog(replaces));
  for (const entry of listEntries(logId)) if (entry.state === 'failed' && hasArrived(entry.item)) removeOutgoing(entry);
  for (const unconfirmed of listUnconfirmed(owner, logId))
    if (hasArrived(unconfirmed)) removeUnconfirmed(owner, logId, unconfirmed.clientMessageId);
  const isTextWithdrawn = withdrawReturned(owner, logId, hasArrived);
  const areFilesWithdrawn = withdrawFiles(logId, isInLog);
  if (isTextWithdrawn || areFilesWithdrawn || isEmpty(logId)) clearReturnReason(logId);
}

export function recoverOutgoing(destination: Destination): void {
  const owner = store.owner();
  const logId = logIdOf(destination);
  restoreUnconfirmed(owner, logId, (unconfirmed) => {
    if (store.owner() !== owner) return;
    removeUnconfirmed(owner, logId, unconfirmed.clientMessageId);
    const otherCount = listUnconfirmed(owner, logId).length + listEntries(logId).length;
    const { content, labels, createdAt, alsoInConversation } = unconfirmed;
    // A message without its files is a different message.
    const clientMessageId = unconfirmed.hasFiles ? newUuid() : unconfirmed.clientMessageId;
    const replaces = unconfirmed.hasFiles ? unconfirmed.clientMessageId : unconfirmed.replaces;
    const reason = replaces === undefined ? PAGE_CLOSED : FILES_LOST;
    if (content !== '' && otherCount === 0 && isEmpty(logId)) {
      returnText(owner, logId, unconfirmed);
      return recordReturnReason(logId, reason);
    }
    const placement = { destination, alsoInConversation };
    const message = { ...placement, clientMessageId, content, labels, createdAt, files: [], replaces };
    storeUnconfirmed(owner, logId, toUnconfirmed(message));
    outgoing.restore(message, sendHandlers, reason);
  });
}

const listEntries = (logId: string) => outgoing.current().filter(({ item }) => logIdOf(item.destination) === logId);

const isOnlyUnconfirmed = (logId: string) =>
  listEntries(logId).length === 1 && listUnconfirmed(store.owner(), logId).length <= 1;

const isEmpty = (logId: string) => isComposerEmpty(getMessageDraft(store.owner(), logId)) && !hasFiles(logId);

function resendAfterReconnect(): void {
  for (const { id, state, cause } of outgoing.current())
    if (state === 'failed' && cause instanceof ApiError && cause.code === 'network') outgoing.retry(id);
}

onConnected(resendAfterReconnect);
window.addEventListener('online', resendAfterReconnect);

export type PendingMessage = Pick<Outgoing, 'clientMessageId' | 'content' | 'labels' | 'createdAt'>;

/** Pending and failed messages of a conversation or thread; each row reads its own progress. */
export function useOutgoing(logId: string): readonly PendingMessage[] {
  const ids = useSyncExternalStore(outgoing.subscribe, () =>
    listEntries(logId)
      .map(({ item }) => item.clientMessageId)
      .join(),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ids` stands for the entries
  return useMemo(
    () =>
      listEntries(logId).map(({ item: { clientMessageId, content, labels, createdAt } }) => ({
        clientMessageId,
        content,
        labels,
        createdAt,
      })),
    [logId, ids],
  );
}

export function useQueueEntry(clientMessageId: string): QueueEntry<Outgoing> | undefined {
  return useSyncExternalStore(outgoing.subscribe, () =>
    outgoing.current().find(({ item }) => item.clientMessageId === clientMessageId),
  );
}
