import { hasVisibleText } from '@atrium/proto-events/text/normalize';
import { countChars } from '@atrium/proto-events/text-length';
import { useEffect, useMemo } from 'react';
import { useAttachmentLimits } from '#entities/conversation/use-attachment-limits.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { chatSocket, emitChat } from '#realtime/connection/socket.ts';
import { hasErrors, useChosenFiles, validateAttachments } from '../files/attachment-drafts.ts';
import { type Destination, logIdOf } from '../log/log-id.ts';
import { useLog } from '../log/message-store.ts';
import { getMessageDraft, saveMessageDraft, useDraft, useReturnReason } from '../sending/drafts.ts';
import { recoverOutgoing, removeArrived, sendFromComposer } from '../sending/outgoing-messages.ts';
import { type ComposedText, labelsIn, toContent } from '../text/composed-text.ts';
import { contentOf, MAX_CHARACTERS } from '../text/message-text.tsx';

const RESEND_INTERVAL_MS = 2_000;
const IDLE_MS = 4_000;

type Typing = { destination: Destination; sentAt: number; idle: ReturnType<typeof setTimeout> };

/** Resets on sign-out, without sending an event. */
const typing = createUserScopedStore<{ current: Typing | null }>(
  () => ({ current: null }),
  ({ current }) => clearTimeout(current?.idle),
);

function sendTyping(destination: Destination): void {
  const state = typing.get();
  if (state.current && logIdOf(state.current.destination) !== logIdOf(destination)) sendTypingStopped();
  const isDue = !state.current || Date.now() - state.current.sentAt > RESEND_INTERVAL_MS;
  clearTimeout(state.current?.idle);
  state.current = {
    destination,
    sentAt: isDue ? Date.now() : (state.current?.sentAt ?? 0),
    idle: setTimeout(sendTypingStopped, IDLE_MS),
  };
  if (isDue) emit('typing:start', destination);
}

function sendTypingStopped(): void {
  const state = typing.get();
  if (!state.current) return;
  clearTimeout(state.current.idle);
  emit('typing:stop', state.current.destination);
  state.current = null;
}

function emit(event: 'typing:start' | 'typing:stop', { conversation, thread }: Destination): void {
  // A lost typing event does no harm.
  if (chatSocket.connected) emitChat(event, { conversation, thread }).catch(() => undefined);
}

export function useComposer(destination: Destination) {
  const { conversation, thread } = destination;
  const logId = logIdOf(destination);
  const currentUserId = useCurrentUser()._id;
  const draft = useDraft(currentUserId, logId);
  const files = useChosenFiles(logId);
  const fileErrors = validateAttachments(files, useAttachmentLimits(files.length > 0));
  useEffect(() => {
    recoverOutgoing({ conversation, thread });
  }, [conversation, thread]);
  const { messages } = useLog(logId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs also when text or files are returned or removed
  useEffect(() => {
    const isInLog = (id: string) => messages.some(({ clientMessageId }) => clientMessageId === id);
    removeArrived(logId, isInLog);
  }, [logId, messages, draft, files]);
  const write = (composed: ComposedText) => {
    saveMessageDraft(currentUserId, logId, { ...draft, ...composed, ...(thread !== undefined && { conversation }) });
    if (hasVisibleText(composed.text)) sendTyping(destination);
    else sendTypingStopped();
  };
  const send = () => {
    const current = getMessageDraft(currentUserId, logId);
    const currentContent = contentOf(toContent(current));
    if (countChars(currentContent) > MAX_CHARACTERS || hasErrors(fileErrors)) return;
    if (!currentContent && files.length === 0) return;
    sendFromComposer(destination, currentContent, { ...current, labels: labelsIn(current) });
    saveMessageDraft(currentUserId, logId, { text: '' });
    sendTypingStopped();
  };
  const content = useMemo(() => contentOf(toContent(draft)), [draft]);
  const length = countChars(content);
  const isTooLong = length > MAX_CHARACTERS;
  const canSend = (length > 0 || files.length > 0) && !isTooLong && !hasErrors(fileErrors);
  const returnReason = useReturnReason(logId, draft, files.length > 0);
  return {
    draft,
    content,
    files,
    fileErrors,
    write,
    send,
    canSend,
    isTooLong,
    returnReason,
  };
}
