import { ApiError, isFinal, messageOf } from '#lib/api/api-error.ts';
import { newUuid } from '#lib/new-uuid.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { isDeferredByServer, retryUntilOnline } from '#lib/uploads/retry-until-online.ts';
import {
  createUploadQueue,
  emptyQueue,
  type Queue,
  type SendOptions,
  stopUploads,
  type Upload,
  type UploadWork,
} from '#lib/uploads/upload-queue.ts';
import { onConnected } from '#realtime/status.ts';
import { showErrorToast } from '#ui/overlays/show-error-toast.ts';
import { draftOf, idOfReturned, isComposerEmpty, returnText, withdrawReturned } from '../composer/drafts.ts';
import { clearReturnReason, recordReturnReason } from '../composer/return-reason.ts';
import { hasFiles, returnFiles, type SentFiles, takeFiles, withdrawFiles } from '../files/attachment-drafts.ts';
import { jumpToLatest } from '../log/read-window.ts';
import { postMessage, postWithFiles } from './post-message.ts';
import { removeUnsent, restoreUnsent, storeUnsent, type Unsent, unsentOf } from './unsent-store.ts';

export type Outgoing = SentFiles & { conversation: string; createdAt: string; replaces?: string | undefined };

const FAILED = 'Failed to send message';
const MAX_CONCURRENT_CONVERSATIONS = 6;

const queue = createUserScopedStore<Queue<Outgoing>>(emptyQueue, stopUploads);

/**
 * Pending messages: those of a conversation are sent one at a time, in order. A failed one stays until the user resends or removes
 * it, or moves it back to the composer. Messages queued behind one that failed for lack of a connection fail with it.
 */
export const outbox = createUploadQueue(queue, {
  concurrencyKey: ({ conversation }) => conversation,
  maxConcurrent: MAX_CONCURRENT_CONVERSATIONS,
  failsQueued: (cause) => !isFinal(cause),
  // Text is stored on the device; files are lost with the tab.
  blocksUnload: ({ item }) => item.files.length > 0,
});

const work: UploadWork<Outgoing> = {
  send,
  explain(error) {
    showErrorToast(error, FAILED);
    return messageOf(error, FAILED);
  },
  onFailed(upload) {
    const { conversation } = upload.item;
    if (!isOnlyUnsent(conversation) || !isEmpty(conversation)) return;
    moveToComposer(upload);
    recordReturnReason(conversation, upload.error ?? FAILED);
  },
};

/** Sends the composer's content. */
export function sendFromComposer(conversation: string, content: string): void {
  // Jumps to the end of the log; sending does not depend on it.
  jumpToLatest(conversation).catch(() => undefined);
  clearReturnReason(conversation);
  const owner = queue.owner();
  const sent = hasFiles(conversation)
    ? takeFiles(conversation, content)
    : { clientMessageId: idOfReturned(draftOf(owner, conversation), content) ?? newUuid(), content, files: [] };
  const message = { ...sent, conversation, createdAt: new Date().toISOString() };
  storeUnsent(owner, conversation, unsentFrom(message));
  outbox.enqueue([message], work);
}

function unsentFrom({ clientMessageId, content, createdAt, files, replaces }: Outgoing): Unsent {
  return { clientMessageId, content, createdAt, replaces, ...(files.length > 0 && { hasFiles: true }) };
}

async function send(message: Outgoing, options: SendOptions): Promise<void> {
  const { conversation, clientMessageId, files } = message;
  const owner = queue.owner();
  const post = () =>
    files.length > 0 ? postWithFiles(conversation, message, options) : postMessage(conversation, message);
  await retryUntilOnline(post, { ...options, isRetryable: isDeferredByServer });
  removeUnsent(owner, conversation, clientMessageId);
}

/** Resends a failed message, then those that failed because of it. */
export function retry({ id, item, cause }: Upload<Outgoing>): void {
  const lane = entriesOf(item.conversation);
  const behind = lane.slice(lane.findIndex((entry) => entry.id === id) + 1);
  outbox.retry(id);
  for (const entry of behind) if (entry.state === 'failed' && entry.cause === cause) outbox.retry(entry.id);
}

/** Moves a message from the outbox to the composer, before the current draft. */
export function moveToComposer({ id, item }: Upload<Outgoing>): void {
  const { conversation, clientMessageId } = item;
  const owner = queue.owner();
  outbox.cancel(id);
  removeUnsent(owner, conversation, clientMessageId);
  returnText(owner, conversation, unsentFrom(item));
  if (item.files.length > 0) returnFiles(conversation, item);
}

/** Also prevents its recovery by the next page. */
export function removeOutgoing({ id, item }: Upload<Outgoing>): void {
  outbox.cancel(id);
  removeUnsent(queue.owner(), item.conversation, item.clientMessageId);
}

/** The conversation was deleted, or the user was removed from it: only text is restored. */
export function dropOutgoing(conversation: string): void {
  const owner = queue.owner();
  for (const { id, item } of entriesOf(conversation).toReversed()) {
    outbox.cancel(id);
    removeUnsent(owner, conversation, item.clientMessageId);
    returnText(owner, conversation, unsentFrom(item));
  }
}

/** Messages that arrived although their responses were lost are neither sent again nor left in the composer. */
export function settleArrived(conversation: string, isThere: (clientMessageId: string) => boolean): void {
  const owner = queue.owner();
  const hasArrived = ({ clientMessageId, replaces }: Pick<Unsent, 'clientMessageId' | 'replaces'>) =>
    isThere(clientMessageId) || (replaces !== undefined && isThere(replaces));
  for (const upload of entriesOf(conversation))
    if (upload.state === 'failed' && hasArrived(upload.item)) removeOutgoing(upload);
  for (const unsent of unsentOf(owner, conversation))
    if (hasArrived(unsent)) removeUnsent(owner, conversation, unsent.clientMessageId);
  withdrawReturned(owner, conversation, isThere);
  withdrawFiles(conversation, isThere);
}

/** Recovers messages of pages that were closed. */
export function recoverOutgoing(conversation: string): void {
  const owner = queue.owner();
  restoreUnsent(owner, conversation, (unsent) => {
    if (queue.owner() !== owner) return;
    removeUnsent(owner, conversation, unsent.clientMessageId);
    const others = unsentOf(owner, conversation).length + entriesOf(conversation).length;
    if (others === 0 && isEmpty(conversation)) return returnText(owner, conversation, unsent);
    // Without its files it is a different message.
    const clientMessageId = unsent.hasFiles ? newUuid() : unsent.clientMessageId;
    const { content, createdAt } = unsent;
    const replaces = unsent.hasFiles ? unsent.clientMessageId : unsent.replaces;
    const message = { conversation, clientMessageId, content, createdAt, files: [], replaces };
    storeUnsent(owner, conversation, unsentFrom(message));
    const reason = unsent.hasFiles ? FILES_LOST : PAGE_CLOSED;
    outbox.restore(message, work, reason);
  });
}

const PAGE_CLOSED = 'The page was closed before the message was sent.';
const FILES_LOST = 'The page was closed before the files were sent. Edit the message to attach them again.';

const entriesOf = (conversation: string) => outbox.current().filter(({ item }) => item.conversation === conversation);

const isOnlyUnsent = (conversation: string) =>
  entriesOf(conversation).length === 1 && unsentOf(queue.owner(), conversation).length <= 1;

const isEmpty = (conversation: string) =>
  isComposerEmpty(draftOf(queue.owner(), conversation)) && !hasFiles(conversation);

/** Resends messages that failed for lack of a connection once it is back. */
function sendAgain(): void {
  for (const { id, state, cause } of outbox.current())
    if (state === 'failed' && cause instanceof ApiError && cause.code === 'network') outbox.retry(id);
}

onConnected(sendAgain);
window.addEventListener('online', sendAgain);
