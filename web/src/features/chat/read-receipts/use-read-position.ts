import type { Conversation } from '@atrium/proto-events/http/chat';
import { type RefObject, useEffect } from 'react';
import { withSeen } from '#entities/conversation/conversation-reducers.ts';
import { useListChanges } from '#entities/conversation/use-conversations.ts';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { useCurrentUser } from '#lib/session/use-session.ts';
import { lastSeq, type MessageLog } from '../log/message-log.ts';
import { followEnd } from './followed-end.ts';
import { recordRead } from './record-read.ts';
import { hasUnread } from './send-read-receipts.ts';
import { readPosition, visibleRange } from './visible-range.ts';
import { isWindowFocused, onWindowFocus } from './window-focus.ts';

type Params = {
  conversation: Conversation;
  log: MessageLog;
  viewport: RefObject<HTMLElement | null>;
  isAtEnd: boolean;
};

/** Moves the read position of the open conversation to what is visible. Call the returned function on scroll. */
export function useReadPosition({ conversation, log, viewport, isAtEnd }: Params): () => void {
  const { _id, lastReadSeq } = conversation;
  const me = useCurrentUser()._id;
  const { update } = useListChanges();
  const check = useStableCallback(() => {
    if (!viewport.current || !isWindowFocused() || !hasUnread(conversation, me)) return;
    const range = visibleRange(viewport.current);
    const end = log.hasNewer ? null : lastSeq(log);
    const seq = range && readPosition(range, { readUntil: lastReadSeq, end });
    if (seq === null) return;
    update(_id, (known) => withSeen(known, seq, unreadAfter(log, seq, me)));
    recordRead(me, _id, seq);
  });
  // After rendered rows have been measured and scrolled to.
  useEffect(() => {
    const frame = requestAnimationFrame(check);
    return () => cancelAnimationFrame(frame);
  });
  useEffect(() => {
    return onWindowFocus(check);
  }, [check]);
  useEffect(() => {
    if (isAtEnd) return followEnd(_id);
    return undefined;
  }, [_id, isAtEnd]);
  return check;
}

/** The number of later messages from others; undefined if the log does not reach the end. */
function unreadAfter(log: MessageLog, seq: number, me: string): number | undefined {
  if (log.hasNewer) return undefined;
  return log.messages.filter((message) => message.seq > seq && message.sender._id !== me).length;
}
