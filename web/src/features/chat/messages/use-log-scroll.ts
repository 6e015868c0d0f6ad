import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { messageOf } from '../../../lib/api/api-error.ts';
import { showError } from '../../../ui/overlays/toast.ts';
import type { MessageRow } from './message-rows.ts';
import { capped, changeLog } from './message-store.ts';
import { loadOlder } from './sync-messages.ts';

/** So near to the end still counts as being there. */
const END_PX = 48;
const LOAD_OLDER_PX = 600;
/** A little of what was read already stays in sight above what is new. */
const ABOVE_NEW_PX = 56;

type Given = { conversation: string; rows: readonly MessageRow[]; lastIsMine: boolean; hasOlder: boolean };

/** Where the log of an open conversation stands: at what is new when opened, then at its end for as long as nobody scrolls up. */
export function useLogScroll({ conversation, rows, lastIsMine, hasOlder }: Given) {
  const list = useRef<VirtualizerHandle>(null);
  const viewport = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const lastTop = useRef(0);
  const isPlaced = useRef(false);
  const [isAtEnd, setAtEnd] = useState(true);
  const [isLoadingOlder, setLoadingOlder] = useState(false);
  // The very end, with the space below the last row, which an index knows nothing of.
  const toEnd = () => {
    sticks.current = true;
    viewport.current?.scrollTo({ top: viewport.current.scrollHeight });
  };

  // A list that is mounted again, as React does on purpose while developing, has to be placed again.
  useLayoutEffect(() => {
    return () => {
      isPlaced.current = false;
    };
  }, []);
  const lastKey = rows.at(-1)?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows what is last, whatever else is drawn anew
  useLayoutEffect(() => {
    const firstNew = isPlaced.current ? -1 : rows.findIndex(isNewLine);
    const isFirst = !isPlaced.current;
    isPlaced.current = true;
    // At the top of a page of nothing but unread there would be no way up: the first unread one is further back.
    if (firstNew > 0 || (firstNew === 0 && !hasOlder)) {
      sticks.current = false;
      list.current?.scrollToIndex(firstNew, { align: 'start', offset: -ABOVE_NEW_PX });
    } else if (isFirst || sticks.current || lastIsMine) toEnd();
  }, [lastKey]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at with each message that comes
  useEffect(() => {
    if (isAtEnd) changeLog(conversation, capped);
  }, [conversation, isAtEnd, lastKey]);

  const readOlder = async () => {
    if (!hasOlder || isLoadingOlder) return;
    setLoadingOlder(true);
    try {
      await loadOlder(conversation);
    } catch (error) {
      showError('Error', messageOf(error, 'Failed to load messages'));
    }
    setLoadingOlder(false);
  };
  const note = () => {
    const box = viewport.current;
    if (!box) return;
    const isEnd = box.scrollHeight - box.clientHeight - box.scrollTop <= END_PX;
    // Only going up lets go of the end: while rows are being measured, the end itself moves away.
    if (isEnd) sticks.current = true;
    else if (box.scrollTop < lastTop.current) sticks.current = false;
    lastTop.current = box.scrollTop;
    setAtEnd(isEnd || sticks.current);
  };
  const onScroll = (offset: number) => {
    note();
    if (offset < LOAD_OLDER_PX) void readOlder();
  };
  /** A row grew, or the window shrank: who was at the end stays there. */
  const onResize = () => {
    if (sticks.current) toEnd();
    else note();
  };
  return { list, viewport, isAtEnd, isLoadingOlder, toEnd, onScroll, onResize, isPrepending: useIsPrepending(rows) };
}

const isNewLine = (row: MessageRow) => row.kind === 'new' || (row.kind === 'day' && row.isNew);

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
