import { useState } from 'react';

/** Null in a thread that the user does not follow, and undefined until it is known. */
export type Revision = number | null | undefined;

type Current = { revision: Revision; unreadCount: number };

/**
 * The revision up to which messages are read as they are shown: that at opening. What is marked as unread afterward has a
 * higher one, as have the replies of a thread that this follows, until everything is read, also on another device.
 */
export function nextShownRevision(shown: Revision, { revision, unreadCount }: Current): Revision {
  if (shown === undefined || revision === null) return revision;
  if (revision === undefined) return shown;
  return unreadCount === 0 ? revision : (shown ?? 0);
}

const isHigher = (revision: Revision, shown: Revision): boolean =>
  typeof shown === 'number' && typeof revision === 'number' && revision > shown;

/** What is marked as unread while it is shown stays unread until the log is opened again, or `release` is called. */
export function useShownRevision(current: Current) {
  const [stored, setShown] = useState<Revision>(current.revision);
  const shown = nextShownRevision(stored, current);
  if (shown !== stored) setShown(shown);
  return {
    isHeld: (revision: Revision): boolean => isHigher(revision, shown),
    release: (): void => setShown(current.revision),
  };
}
