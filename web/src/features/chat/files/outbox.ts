import type { Message } from '@atrium/proto-events/http/chat-messages';
import { ApiError, messageOf } from '../../../lib/api/api-error.ts';
import { upload } from '../../../lib/api/upload.ts';
import { newUuid } from '../../../lib/new-uuid.ts';
import { createPersonStore, type Leaving } from '../../../lib/session/person-store.ts';
import { isPutOff, patiently } from '../../../lib/uploads/patiently.ts';
import {
  createUploadQueue,
  emptyQueue,
  type Queue,
  type SendOptions,
  stopUploads,
  type Upload,
} from '../../../lib/uploads/upload-queue.ts';
import { whenConnected } from '../../../realtime/status.ts';
import { showFailure } from '../../../ui/overlays/show-failure.ts';
import { beginSending, draftOf, endSending, keepConversationDraft } from '../composer/drafts.ts';
import { withReceived } from '../log/message-log.ts';
import { logWriter } from '../log/message-store.ts';
import { jumpToLatest } from '../log/read-window.ts';
import { giveFilesBack, type SentFiles, takeFiles } from './file-drafts.ts';
import { pictureKeeper } from './picture-links.ts';

/** A message with files on its way. */
export type Outgoing = SentFiles & { conversation: string; createdAt: string };

const FAILED = 'Failed to send message';

const queue = createPersonStore<Queue<Outgoing>>(emptyQueue, (left, leaving) => {
  stopUploads(left);
  for (const { item } of left.entries) keepText(item, leaving);
});

/**
 * Messages with files on their way: of each conversation one after the other, and those that failed until somebody sends them again or
 * takes them off. Texts do not wait for them. They are in memory, so that closing the tab asks.
 */
export const outbox = createUploadQueue(queue, { laneOf: ({ conversation }) => conversation, keepsFailed: true });

/** Sends what was chosen for a conversation. Its text is kept on the device until it has arrived; files cannot be. */
export function sendWithFiles(conversation: string, content: string): void {
  // Whoever writes goes on where the others are; should that fail, the message is sent all the same.
  jumpToLatest(conversation).catch(() => undefined);
  const message = { ...takeFiles(conversation, content), conversation, createdAt: new Date().toISOString() };
  const { clientMessageId } = message;
  if (content !== '') beginSending(queue.owner(), conversation, { clientMessageId, content, hasFiles: true });
  outbox.enqueue([message], {
    send,
    explain(error) {
      showFailure(error, FAILED);
      return messageOf(error, FAILED);
    },
  });
}

async function send(message: Outgoing, options: SendOptions): Promise<void> {
  const owner = queue.owner();
  try {
    // Sent again, it is the same message by its `clientMessageId`.
    await patiently(() => post(message, options), { ...options, isWaitedFor: isPutOff });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
    // A tab of the release before has sent its text alone: the files are another message.
    showFailure(error, FAILED);
    endSending(owner, message.conversation, message);
    giveFilesBack(message.conversation, { ...message, clientMessageId: newUuid() });
  }
}

async function post(message: Outgoing, { onProgress, signal }: SendOptions): Promise<void> {
  const { conversation, content, clientMessageId, files } = message;
  // Sent again, it begins anew.
  onProgress(0);
  const owner = queue.owner();
  const write = logWriter(conversation);
  const keepPictures = pictureKeeper();
  const form = new FormData();
  // Fields before the files, so that a refusal of theirs comes before bytes are stored.
  form.set('conversation', conversation);
  form.set('content', content);
  form.set('clientMessageId', clientMessageId);
  for (const { file } of files) form.append('attachments', file, file.name);
  const sent = await upload<Message>('/chat/messages', form, { onProgress, signal });
  endSending(owner, conversation, message);
  keepPictures([sent]);
  write((log) => withReceived(log, [sent]));
}

/** Takes a message off its way, and gives text and files back to be changed: before what was written since. */
export function takeBack({ id, item }: Upload<Outgoing>): void {
  outbox.cancel(id);
  giveFilesBack(item.conversation, item);
  putText(queue.owner(), item);
}

/** Takes a message off its way for good: nothing of it comes back, with the next page either. */
export function removeOutgoing({ id, item }: Upload<Outgoing>): void {
  outbox.cancel(id);
  endSending(queue.owner(), item.conversation, item);
}

/** The conversation is nobody's any more, or not one's own: the text alone is given back. */
export function dropOutgoing(conversation: string): void {
  for (const { id, item } of outbox.current()) {
    if (item.conversation !== conversation) continue;
    outbox.cancel(id);
    putText(queue.owner(), item);
  }
}

/** Takes off what arrived although its answer was lost. */
export function settleOutgoing(isThere: (clientMessageId: string) => boolean): void {
  for (const { id, item, state } of outbox.current())
    if (state === 'failed' && isThere(item.clientMessageId)) outbox.cancel(id);
}

/** Whoever's session ended has the text again when they are back; who logged out leaves nothing. */
function keepText(item: Outgoing, { owner, hasLeft }: Leaving): void {
  if (!hasLeft) putText(owner, item);
}

function putText(owner: string | null, message: Outgoing): void {
  const { conversation, content } = message;
  if (content === '') return;
  endSending(owner, conversation, message);
  const draft = draftOf(owner, conversation);
  keepConversationDraft(owner, conversation, { ...draft, text: [content, draft.text].filter(Boolean).join('\n') });
}

/** What only the network kept from arriving goes again by itself once that is back. */
function sendAgain(): void {
  for (const { id, state, cause } of outbox.current())
    if (state === 'failed' && cause instanceof ApiError && cause.code === 'network') outbox.retry(id);
}

whenConnected(sendAgain);
window.addEventListener('online', sendAgain);
