import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { isWindowFocused, onWindowFocus } from '#lib/window-focus.ts';
import { getRootOfLog } from '../log/log-id.ts';
import { lastSeq, type MessageLog } from '../log/message-log.ts';
import { recordRead } from './record-read.ts';
import { type Revision, useShownRevision } from './shown-revision.ts';

/** The read position of a conversation or thread, as of now. */
export type Reads = {
  unreadCount: () => number;
  lastReadSeq: () => number;
  /** Increases when messages are marked as unread. */
  revision: () => Revision;
};

type Params = {
  logId: string;
  reads: Reads;
  log: MessageLog;
  viewport: Viewport;
  isAtEnd: boolean;
  /** The last seq of the conversation or thread. */
  end: number;
  /** The last message that is being sent, if it is the last one. */
  sending: string | null;
};

/** Marks what is shown as read. Call `check` on scroll. */
export function useReadPosition({ logId, reads, log, viewport, isAtEnd, end, sending }: Params) {
  const currentUserId = useCurrentUser()._id;
  const revision = reads.revision();
  const { isHeld, release } = useShownRevision({ revision, unreadCount: reads.unreadCount() });
  const [lastSending, setLastSending] = useState(sending);
  if (lastSending !== sending) {
    setLastSending(sending);
    // A message of the user's own is an answer to what they have read.
    if (sending !== null) release();
  }
  const check = useStableCallback(() => {
    // In order of their cost, because this runs while scrolling.
    if (reads.unreadCount() === 0 || isHeld(reads.revision()) || !isWindowFocused() || !isShown(viewport.current))
      return;
    const range = visibleRange(viewport.current);
    const end = log.hasNewer ? null : lastSeq(log);
    const seq = range && readPosition(range, { readUntil: reads.lastReadSeq(), end });
    if (seq !== null) recordRead(currentUserId, logId, seq);
  });
  // Runs after rendered rows have been measured and scrolled to.
  useEffect(() => {
    const frame = requestAnimationFrame(check);
    return () => cancelAnimationFrame(frame);
  });
  useEffect(() => {
    return onWindowFocus(check);
  }, [check]);
  const isEndRead = isAtEnd && !isHeld(revision);
  useEffect(() => {
    return isEndRead ? followEnd(logId, viewport) : undefined;
  }, [logId, isEndRead, viewport]);
  return {
    check,
    /** Escape marks everything as read; in a thread, it closes the thread. */
    onKeyDown(event: KeyboardEvent): void {
      const isEscape = event.key === 'Escape' && !event.defaultPrevented && getRootOfLog(logId) === null;
      if (!isEscape || reads.unreadCount() === 0) return;
      event.preventDefault();
      release();
      recordRead(currentUserId, logId, Math.max(end, lastSeq(log)));
    },
  };
}

type SeqRange = { first: number; last: number };

export const SEQ_ATTRIBUTE = 'data-seq';

/** A message counts once its end is visible, or once it fills half of the scroller. */
function visibleRange(scroller: HTMLElement): SeqRange | null {
  const view = scroller.getBoundingClientRect();
  const middle = view.top + view.height / 2;
  const seqs = [...scroller.querySelectorAll(`[${SEQ_ATTRIBUTE}]`)].flatMap((row) => {
    const { top, bottom, height } = row.getBoundingClientRect();
    const isVisible = height > 0 && bottom > view.top && (bottom <= view.bottom + 1 || top <= middle);
    return isVisible ? [Number(row.getAttribute(SEQ_ATTRIBUTE))] : [];
  });
  return seqs.length === 0 ? null : { first: Math.min(...seqs), last: Math.max(...seqs) };
}

type Log = {
  readUntil: number;
  /** The last seq; null if the log does not reach it. */
  end: number | null;
};

/**
 * Returns the new read position for a visible range: consecutive to the previous one, or the end if it is visible. Null
 * if nothing new is visible or there is a gap.
 */
export function readPosition({ first, last }: SeqRange, { readUntil, end }: Log): number | null {
  if (last <= readUntil) return null;
  const isContiguous = first <= readUntil + 1;
  const isEnd = end !== null && last >= end;
  return isContiguous || isEnd ? last : null;
}

type Viewport = RefObject<HTMLElement | null>;

/** A thread can cover its conversation. */
const isShown = (viewport: HTMLElement | null | undefined): viewport is HTMLElement =>
  viewport instanceof HTMLElement && getComputedStyle(viewport).visibility === 'visible';

/** Logs that follow their end, so that a new message is read as it arrives, with their viewports. */
const followedLogs = createUserScopedStore(() => new Map<string, Viewport>());

export const isEndFollowed = (logId: string): boolean => isShown(followedLogs.get().get(logId)?.current);

function followEnd(logId: string, viewport: Viewport): () => void {
  const viewports = followedLogs.get();
  viewports.set(logId, viewport);
  return () => {
    viewports.delete(logId);
  };
}
