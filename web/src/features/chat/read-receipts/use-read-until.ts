import { useState } from 'react';

type Params = { unreadCount: number; lastReadSeq: number };

/** Messages after this seq are marked as new: the read position at opening, or at the first unread message since. */
export function useReadUntil({ unreadCount, lastReadSeq }: Params): number | null {
  const isUnread = unreadCount > 0;
  const [mark, setMark] = useState(isUnread ? lastReadSeq : null);
  const [wasUnread, setWasUnread] = useState(isUnread);
  if (wasUnread !== isUnread) {
    setWasUnread(isUnread);
    if (isUnread) setMark(lastReadSeq);
  }
  return mark;
}
