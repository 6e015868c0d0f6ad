import { useEffect } from 'react';
import { newUuid } from '../../../lib/new-uuid.ts';
import { useCurrentUser } from '../../../lib/session/use-session.ts';
import { showFailure } from '../../../ui/overlays/show-failure.ts';
import { useLog } from '../log/message-store.ts';
import {
  beginSending,
  draftOf,
  endSending,
  giveBack,
  keepConversationDraft,
  recoverUnsent,
  settleArrived,
  useDraft,
} from './drafts.ts';
import { postMessage } from './post-message.ts';
import { tellStopped, tellTyping } from './tell-typing.ts';

/** As the contract has it. */
export const MOST_CHARACTERS = 10_000;

/** The text being written in a conversation, and sending it. */
export function useComposer(conversation: string) {
  const me = useCurrentUser()._id;
  const draft = useDraft(me, conversation);
  useEffect(() => {
    recoverUnsent(me, conversation);
  }, [me, conversation]);
  const { messages } = useLog(conversation);
  useEffect(() => {
    settleArrived(me, conversation, draft, (id) => messages.some(({ clientMessageId }) => clientMessageId === id));
  }, [me, conversation, messages, draft]);
  const write = (text: string) => {
    keepConversationDraft(me, conversation, { ...draft, text });
    if (text.trim()) tellTyping(conversation);
    else tellStopped();
  };
  const send = async () => {
    const { text, retryOf } = draftOf(me, conversation);
    const content = text.trim();
    if (!content || content.length > MOST_CHARACTERS) return;
    const clientMessageId = retryOf?.content === content ? retryOf.clientMessageId : newUuid();
    const message = { content, clientMessageId };
    beginSending(me, conversation, message);
    keepConversationDraft(me, conversation, { text: '' });
    tellStopped();
    try {
      await postMessage(me, conversation, message);
      endSending(me, conversation, message);
    } catch (error) {
      showFailure(error, 'Failed to send message');
      giveBack(me, conversation, message);
    }
  };
  const { length } = draft.text.trim();
  return { text: draft.text, write, send, isEmpty: length === 0, isTooLong: length > MOST_CHARACTERS };
}
