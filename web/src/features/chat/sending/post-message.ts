import type { Message, sendMessage } from '@atrium/proto-events/http/chat-messages';
import { call } from '#lib/api/api.ts';
import { upload } from '#lib/api/upload.ts';
import type { SelectedFile } from '../files/attachment-drafts.ts';
import { createLinkRecorder } from '../files/image-links.ts';
import { withReceived } from '../log/message-log.ts';
import { logWriter } from '../log/message-store.ts';

type NewMessage = { clientMessageId: string; content: string };
type UploadOptions = { onProgress: (fraction: number) => void; signal: AbortSignal };

export async function postMessage(conversationId: string, { clientMessageId, content }: NewMessage): Promise<void> {
  const writeLog = logWriter(conversationId);
  const body = { conversation: conversationId, clientMessageId, content };
  const sentMessage = await call<typeof sendMessage>('POST /chat/messages', { body });
  writeLog((log) => withReceived(log, [sentMessage]));
}

/** A retry uploads all files again from the beginning. */
export async function postWithFiles(
  conversationId: string,
  { clientMessageId, content, files }: NewMessage & { files: readonly SelectedFile[] },
  { onProgress, signal }: UploadOptions,
): Promise<void> {
  onProgress(0);
  const writeLog = logWriter(conversationId);
  const recordLinks = createLinkRecorder();
  const form = new FormData();
  // Fields precede the files, so that invalid ones are rejected before any bytes are stored.
  form.set('conversation', conversationId);
  form.set('content', content);
  form.set('clientMessageId', clientMessageId);
  for (const { file } of files) form.append('attachments', file, file.name);
  const sentMessage = await upload<Message>('/chat/messages', form, { onProgress, signal });
  recordLinks([sentMessage]);
  writeLog((log) => withReceived(log, [sentMessage]));
}
