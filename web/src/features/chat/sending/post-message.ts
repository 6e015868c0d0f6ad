import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { sendMessage } from '@atrium/proto-events/http/chat/sending';
import { call } from '#lib/api/api.ts';
import { upload } from '#lib/api/upload.ts';
import type { SelectedFile } from '../files/attachment-drafts.ts';
import { createLinkRecorder } from '../files/image-links.ts';
import { type Destination, logIdOf } from '../log/log-id.ts';
import { withReceived } from '../log/message-log.ts';
import { logWriter } from '../log/message-store.ts';
import { unreachableRecorder } from '../mentions/unreachable.ts';

type NewMessage = {
  destination: Destination;
  alsoInConversation?: true | undefined;
  clientMessageId: string;
  content: string;
};
type UploadOptions = { onProgress: (fraction: number) => void; signal: AbortSignal };

export async function postMessage(message: NewMessage): Promise<Message> {
  const { destination, alsoInConversation, clientMessageId, content } = message;
  const writeLog = logWriter(logIdOf(destination));
  const recordUnreachable = unreachableRecorder(logIdOf(destination));
  const body = { ...destination, clientMessageId, content, ...(alsoInConversation && { alsoInConversation }) };
  const sentMessage = await call<typeof sendMessage>('POST /chat/messages', { body });
  writeLog((log) => withReceived(log, [sentMessage]));
  recordUnreachable(sentMessage.unreachable);
  return sentMessage;
}

/** A retry uploads all files again from the beginning. */
export async function postWithFiles(
  message: NewMessage & { files: readonly SelectedFile[] },
  { onProgress, signal }: UploadOptions,
): Promise<Message> {
  onProgress(0);
  const writeLog = logWriter(logIdOf(message.destination));
  const recordUnreachable = unreachableRecorder(logIdOf(message.destination));
  const recordLinks = createLinkRecorder();
  const sentMessage = await upload<Message>('/chat/messages', toForm(message), { onProgress, signal });
  recordLinks([sentMessage]);
  writeLog((log) => withReceived(log, [sentMessage]));
  recordUnreachable(sentMessage.unreachable);
  return sentMessage;
}

/** Fields precede the files, so that invalid ones are rejected before any bytes are stored. */
function toForm(message: NewMessage & { files: readonly SelectedFile[] }): FormData {
  const { destination, alsoInConversation, clientMessageId, content, files } = message;
  const form = new FormData();
  form.set('conversation', destination.conversation);
  if (destination.thread !== undefined) form.set('thread', destination.thread);
  if (alsoInConversation) form.set('alsoInConversation', 'true');
  form.set('content', content);
  form.set('clientMessageId', clientMessageId);
  for (const { file } of files) form.append('attachments', file, file.name);
  return form;
}
