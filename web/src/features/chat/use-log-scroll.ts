import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { messageOf } from '../../lib/api-error.ts';
import { showError } from '../../ui/toast.ts';
import type { MessageRow } from './message-rows.ts';
import { loadOlder } from './sync-messages.ts';

/** So near to the end still counts as being there. */
const END_PX = 48;
const LOAD_OLDER_PX = 600;

type Given = { conversation: string; rows: readonly MessageRow[]; lastIsMine: boolean };

/** Where the log of an open conversation stands: at what is new when opened, then at its end for as long as nobody scrolls up. */
export function useLogScroll({ conversation, rows, lastIsMine }: Given) {
  const list = useRef<VirtualizerHandle>(null);
  const sticks = useRef(true);
  const isPlaced = useRef(false);
  const [isAtEnd, setAtEnd] = useState(true);
  const toEnd = () => list.current?.scrollToIndex(rows.length - 1, { align: 'end' });

  const lastKey = rows.at(-1)?.key;
  useLayoutEffect(() => {
    if (!isPlaced.current) {
      isPlaced.current = true;
      const isNew = rows.findIndex(({ kind }) => kind === 'new');
      if (isNew >= 0) list.current?.scrollToIndex(isNew, { align: 'start', offset: -24 });
      else toEnd();
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows what is last, whatever else is drawn anew
  useEffect(() => {
    if (sticks.current || lastIsMine) toEnd();
  }, [lastKey]);

  const note = () => {
    const handle = list.current;
    if (!handle) return;
    const end = handle.scrollSize - handle.viewportSize - handle.scrollOffset <= END_PX;
    sticks.current = end;
    setAtEnd(end);
    if (handle.scrollOffset < LOAD_OLDER_PX)
      loadOlder(conversation).catch((error: unknown) =>
        showError('Error', messageOf(error, 'Failed to load messages')),
      );
  };
  /** A row grew, or the window shrank: who was at the end stays there. */
  const onResize = () => {
    if (sticks.current) toEnd();
  };
  return { list, isAtEnd, toEnd, onScroll: note, onResize, isPrepending: useIsPrepending(rows) };
}

/** True for the render in which rows were put before the first, so that what is in sight stays there. */
function useIsPrepending(rows: readonly MessageRow[]): boolean {
  const first = rows.find(({ kind }) => kind === 'message')?.key;
  const before = useRef<{ first: string | undefined; count: number }>(undefined);
  const known = before.current;
  const isPrepending =
    known?.first !== undefined &&
    known.first !== first &&
    rows.length > known.count &&
    rows.some(({ key }) => key === known.first);
  useLayoutEffect(() => {
    before.current = { first, count: rows.length };
  });
  return isPrepending;
}
