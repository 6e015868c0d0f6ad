import { useState } from 'react';
import type { Revision } from './shown-revision.ts';

type Params = { unreadCount: number; lastReadSeq: number; revision: Revision };

/**
 * Messages after this seq are marked as new: the read position at opening, at the first unread message since, or where
 * messages were marked as unread.
 */
export function useReadUntil({ unreadCount, lastReadSeq, revision }: Params): number | null {
  const isUnread = unreadCount > 0;
  const [mark, setMark] = useState(isUnread ? lastReadSeq : null);
  const [wasUnread, setWasUnread] = useState(isUnread);
  const [lastRevision, setLastRevision] = useState(revision);
  if (wasUnread !== isUnread || lastRevision !== revision) {
    setWasUnread(isUnread);
    setLastRevision(revision);
    if (isUnread) setMark(lastReadSeq);
  }
  return mark;
}
