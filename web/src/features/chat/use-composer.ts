import type { sendMessage } from '@atrium/proto-events/http/chat-messages';
import { useState } from 'react';
import { call } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { newUuid } from '../../lib/new-uuid.ts';
import { showError } from '../../ui/toast.ts';
import { draftOf, keepDraft, useDraft } from './drafts.ts';
import { withoutPending, withPending, withReceived } from './message-log.ts';
import { changeLog } from './message-store.ts';
import { tellStopped, tellTyping } from './tell-typing.ts';

/** The text being written in a conversation, and sending it. */
export function useComposer(conversation: string) {
  const draft = useDraft(conversation);
  const [isSending, setSending] = useState(false);
  const write = (text: string) => {
    keepDraft(conversation, { ...draft, text });
    if (text.trim()) tellTyping(conversation);
    else tellStopped();
  };
  const send = async () => {
    const content = draft.text.trim();
    if (!content || isSending) return;
    const clientMessageId = draft.retryOf?.content === content ? draft.retryOf.clientMessageId : newUuid();
    setSending(true);
    keepDraft(conversation, { text: '' });
    tellStopped();
    try {
      await post(conversation, { content, clientMessageId });
    } catch (error) {
      showError('Error', messageOf(error, 'Failed to send message'));
      const typedSince = draftOf(conversation).text;
      const text = [content, typedSince].filter(Boolean).join('\n');
      keepDraft(conversation, { text, retryOf: { clientMessageId, content } });
    }
    setSending(false);
  };
  return { text: draft.text, write, send, isSending };
}

/** Shows the message at once; the server's own takes its place, or it goes again. */
async function post(conversation: string, message: { content: string; clientMessageId: string }): Promise<void> {
  changeLog(conversation, (log) => withPending(log, { ...message, createdAt: new Date().toISOString() }));
  try {
    const sent = await call<typeof sendMessage>('POST /chat/messages', { body: { conversation, ...message } });
    changeLog(conversation, (log) => withReceived(log, [sent]));
  } finally {
    changeLog(conversation, (log) => withoutPending(log, message.clientMessageId));
  }
}
