import type { Message, sendMessage } from '@atrium/proto-events/http/chat-messages';
import { call } from '#lib/api/api.ts';
import { upload } from '#lib/api/upload.ts';
import type { SelectedFile } from '../files/attachment-drafts.ts';
import { createLinkRecorder } from '../files/image-links.ts';
import { withReceived } from '../log/message-log.ts';
import { logWriter } from '../log/message-store.ts';

type Posted = { clientMessageId: string; content: string };
type UploadOptions = { onProgress: (fraction: number) => void; signal: AbortSignal };

/** Sends a text; idempotent by its client id. */
export async function postMessage(conversation: string, { clientMessageId, content }: Posted): Promise<void> {
  const writeLog = logWriter(conversation);
  const body = { conversation, clientMessageId, content };
  const sent = await call<typeof sendMessage>('POST /chat/messages', { body });
  writeLog((log) => withReceived(log, [sent]));
}

/** Sends a message with files; a retry uploads them again from the beginning. */
export async function postWithFiles(
  conversation: string,
  { clientMessageId, content, files }: Posted & { files: readonly SelectedFile[] },
  { onProgress, signal }: UploadOptions,
): Promise<void> {
  onProgress(0);
  const writeLog = logWriter(conversation);
  const keepPictures = createLinkRecorder();
  const form = new FormData();
  // Fields before the files, so that they are rejected before bytes are stored.
  form.set('conversation', conversation);
  form.set('content', content);
  form.set('clientMessageId', clientMessageId);
  for (const { file } of files) form.append('attachments', file, file.name);
  const sent = await upload<Message>('/chat/messages', form, { onProgress, signal });
  keepPictures([sent]);
  writeLog((log) => withReceived(log, [sent]));
}
