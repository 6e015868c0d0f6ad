import type { sendMessage } from '@atrium/proto-events/http/chat-messages';
import { useEffect } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf, networkError } from '../../../lib/api/api-error.ts';
import { newUuid } from '../../../lib/new-uuid.ts';
import { presentPerson } from '../../../lib/session/session.ts';
import { useCurrentUser } from '../../../lib/session/use-session.ts';
import { showError } from '../../../ui/overlays/toast.ts';
import { withoutPending, withPending, withReceived } from '../log/message-log.ts';
import { logWriter, useLog } from '../log/message-store.ts';
import { jumpToLatest } from '../log/read-window.ts';
import {
  beginSending,
  draftOf,
  endSending,
  giveBack,
  keepConversationDraft,
  recoverUnsent,
  type Sent,
  settleArrived,
  useDraft,
} from './drafts.ts';
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
      await post(me, conversation, message);
      endSending(me, conversation, message);
    } catch (error) {
      showError('Error', messageOf(error, 'Failed to send message'));
      giveBack(me, conversation, message);
    }
  };
  const { length } = draft.text.trim();
  return { text: draft.text, write, send, isEmpty: length === 0, isTooLong: length > MOST_CHARACTERS };
}

/** Shows the message at once; the server's own takes its place, or it goes again. */
async function post(me: string, conversation: string, message: Sent): Promise<void> {
  const writeLog = logWriter(conversation);
  // Whoever writes goes on where the others are; should that fail, the message is sent all the same.
  jumpToLatest(conversation).catch(() => undefined);
  writeLog((log) => withPending(log, { ...message, createdAt: new Date().toISOString() }));
  try {
    const sent = await inTurn(conversation, () => {
      // Its turn may come when somebody else is here.
      if (presentPerson() !== me) throw networkError();
      return call<typeof sendMessage>('POST /chat/messages', { body: { conversation, ...message } });
    });
    writeLog((log) => withReceived(log, [sent]));
  } finally {
    writeLog((log) => withoutPending(log, message.clientMessageId));
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
