import { hasVisibleText } from '@atrium/proto-events/text/normalize';
import { lengthOf } from '@atrium/proto-events/text-length';
import { useEffect } from 'react';
import { useAttachmentLimits } from '../../../entities/conversation/use-attachment-limits.ts';
import { newUuid } from '../../../lib/new-uuid.ts';
import { presentPerson } from '../../../lib/session/session.ts';
import { useCurrentUser } from '../../../lib/session/use-session.ts';
import { showFailure } from '../../../ui/overlays/show-failure.ts';
import { useChosenFiles } from '../files/file-drafts.ts';
import { isRefused, refusalsOf } from '../files/file-refusals.ts';
import { sendWithFiles, settleOutgoing } from '../files/outbox.ts';
import { useLog } from '../log/message-store.ts';
import { contentOf } from '../messages/content-of.ts';
import {
  beginSending,
  draftOf,
  endSending,
  giveBack,
  idOfSame,
  keepConversationDraft,
  recoverUnsent,
  settleArrived,
  useDraft,
} from './drafts.ts';
import { postMessage } from './post-message.ts';
import { tellStopped, tellTyping } from './tell-typing.ts';

/** As the contract has it. */
export const MOST_CHARACTERS = 10_000;

/** The text and files of what is being written in a conversation, and sending it. */
export function useComposer(conversation: string) {
  const me = useCurrentUser()._id;
  const draft = useDraft(me, conversation);
  const files = useChosenFiles(conversation);
  const refusals = refusalsOf(files, useAttachmentLimits(files.length > 0));
  useEffect(() => {
    recoverUnsent(me, conversation);
  }, [me, conversation]);
  const { messages } = useLog(conversation);
  useEffect(() => {
    const isThere = (id: string) => messages.some(({ clientMessageId }) => clientMessageId === id);
    settleArrived(me, conversation, draft, isThere);
    settleOutgoing(isThere);
  }, [me, conversation, messages, draft]);
  const write = (text: string) => {
    keepConversationDraft(me, conversation, { ...draft, text });
    if (hasVisibleText(text)) tellTyping(conversation);
    else tellStopped();
  };
  const send = async () => {
    const written = draftOf(me, conversation);
    const content = contentOf(written.text);
    if (lengthOf(content) > MOST_CHARACTERS || isRefused(refusals)) return;
    if (files.length > 0) {
      keepConversationDraft(me, conversation, { text: '' });
      tellStopped();
      return sendWithFiles(conversation, content);
    }
    if (!content) return;
    const message = { content, clientMessageId: idOfSame(written, content) ?? newUuid() };
    beginSending(me, conversation, message);
    keepConversationDraft(me, conversation, { text: '' });
    tellStopped();
    try {
      await postMessage(me, conversation, message);
      endSending(me, conversation, message);
    } catch (error) {
      // The next person is told nothing of theirs.
      if ((presentPerson() ?? me) === me) showFailure(error, 'Failed to send message');
      giveBack(me, conversation, message);
    }
  };
  const length = lengthOf(contentOf(draft.text));
  const isTooLong = length > MOST_CHARACTERS;
  const canSend = (length > 0 || files.length > 0) && !isTooLong && !isRefused(refusals);
  return { text: draft.text, files, refusals, write, send, canSend, isTooLong };
}
