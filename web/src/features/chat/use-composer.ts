import type { sendMessage } from '@atrium/proto-events/http/chat-messages';
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
  const write = (text: string) => {
    keepDraft(conversation, { ...draft, text });
    if (text.trim()) tellTyping(conversation);
    else tellStopped();
  };
  const send = async () => {
    const { text, retryOf } = draftOf(conversation);
    const content = text.trim();
    if (!content) return;
    const clientMessageId = retryOf?.content === content ? retryOf.clientMessageId : newUuid();
    keepDraft(conversation, { text: '' });
    tellStopped();
    try {
      await post(conversation, { content, clientMessageId });
    } catch (error) {
      showError('Error', messageOf(error, 'Failed to send message'));
      const since = draftOf(conversation);
      // Behind one that failed before it, and before what was typed since.
      const parts = since.retryOf ? [since.text, content] : [content, since.text];
      const text = parts.filter(Boolean).join('\n');
      keepDraft(conversation, { text, retryOf: { clientMessageId, content } });
    }
  };
  return { text: draft.text, write, send };
}

/** Shows the message at once; the server's own takes its place, or it goes again. */
async function post(conversation: string, message: { content: string; clientMessageId: string }): Promise<void> {
  changeLog(conversation, (log) => withPending(log, { ...message, createdAt: new Date().toISOString() }));
  try {
    const sent = await inTurn(conversation, () =>
      call<typeof sendMessage>('POST /chat/messages', { body: { conversation, ...message } }),
    );
    changeLog(conversation, (log) => withReceived(log, [sent]));
  } finally {
    changeLog(conversation, (log) => withoutPending(log, message.clientMessageId));
  }
}

const underWay = new Map<string, Promise<unknown>>();

/** Who types quickly sends while the message before is still on its way: each leaves after it, so that they keep their order. */
function inTurn<T>(conversation: string, send: () => Promise<T>): Promise<T> {
  const turn = (underWay.get(conversation) ?? Promise.resolve()).then(send);
  const done = turn.catch(() => undefined);
  underWay.set(conversation, done);
  void done.then(() => underWay.get(conversation) === done && underWay.delete(conversation));
  return turn;
}
