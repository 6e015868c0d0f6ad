import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { onConnected } from '#realtime/connection/status.ts';
import { showErrorToast } from '#ui/overlays/toast.ts';
import { jumpToLatest, loadNewer, loadOlder } from '../log/load-messages.ts';
import { type MessageLog, trimmedToWindow } from '../log/message-log.ts';
import { changeLog } from '../log/message-store.ts';
import { indexOfNew, indexOfSeq, type MessageRow, seqFrom } from './message-rows.ts';
import type { Target } from './use-linked-message.ts';
import { useReturn } from './use-return.ts';

/** Distance from the end that still counts as being there. */
const END_PX = 48;
/** Messages are loaded within this distance from either end. */
const LOAD_PX = 600;
/** Someone who scrolls toward an end reaches it sooner, so messages are loaded this many screens before it. */
const LOAD_SCREENS = 4;
/** Space above the unread marker that keeps some read messages visible. */
const ABOVE_NEW_PX = 56;

type LogScrollParams = {
  logId: string;
  log: MessageLog;
  rows: readonly MessageRow[];
  lastIsMine: boolean;
  target: Target | null;
};

export function useLogScroll({ logId, log, rows, lastIsMine, target }: LogScrollParams) {
  const { hasNewer } = log;
  /** True until the end is loaded. */
  const wantsEnd = useRef(false);
  const list = useRef<VirtualizerHandle>(null);
  const viewport = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const lastTop = useRef(0);
  const [isAtEnd, setAtEnd] = useState(true);
  // Scrolls to the real end, including the space below the last row, which scrolling to an index ignores.
  const toEnd = () => {
    isFollowing.current = true;
    wantsEnd.current = false;
    viewport.current?.scrollTo({ top: viewport.current.scrollHeight });
  };
  const showRow = (index: number, align: 'start' | 'center' | 'end', offset = 0) => {
    isFollowing.current = false;
    list.current?.scrollToIndex(index, { align, offset });
  };
  useReturn({ logId, rows, list, isAtEnd: isAtEnd && !hasNewer, hasTarget: target !== null });
  useScrollPosition({
    log,
    rows,
    target,
    followsEnd: () => isFollowing.current || wantsEnd.current || lastIsMine,
    toEnd,
    showRow,
  });
  const { isLoadingMore, loadMore, retryLoading } = useLoadMore({ logId, log, viewport });
  useTrim({ logId, rows, list });

  const updatePosition = () => {
    const box = viewport.current;
    if (!box) return null;
    const direction = Math.sign(box.scrollTop - lastTop.current);
    const isEnd = !hasNewer && box.scrollHeight - box.clientHeight - box.scrollTop <= END_PX;
    // Stops following the end only when the user scrolls up, because measuring rows moves the end itself.
    if (isEnd) isFollowing.current = true;
    else if (hasNewer || direction < 0) isFollowing.current = false;
    lastTop.current = box.scrollTop;
    setAtEnd(isEnd || isFollowing.current);
    return direction;
  };
  const onScroll = () => {
    const direction = updatePosition();
    if (direction !== null) loadMore(direction);
  };
  const onResize = () => {
    if (isFollowing.current && !hasNewer) toEnd();
    else updatePosition();
  };
  const toLatest = () => {
    if (!hasNewer) return toEnd();
    wantsEnd.current = true;
    jumpToLatest(logId).catch(showFailure);
  };
  return {
    list,
    viewport,
    isAtEnd: isAtEnd && !hasNewer,
    isLoadingMore,
    retryLoading,
    toLatest,
    onScroll,
    onResize,
    ...useShift(rows, log.windowNumber),
  };
}

type ScrollPositionParams = Pick<LogScrollParams, 'log' | 'rows' | 'target'> & {
  followsEnd: () => boolean;
  toEnd: () => void;
  showRow: (index: number, align: 'start' | 'center' | 'end', offset?: number) => void;
};

function useScrollPosition({ log, rows, target, followsEnd, toEnd, showRow }: ScrollPositionParams): void {
  const lastPlacement = useRef<{ windowNumber: number; key: string | undefined }>(undefined);
  // The list must be positioned again when it is remounted, such as by React's strict mode.
  useLayoutEffect(() => {
    return () => {
      lastPlacement.current = undefined;
    };
  }, []);
  const lastKey = rows.at(-1)?.key;
  const targetIndex = target ? indexOfSeq(rows, target.seq) : -1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends only on the last and the requested message
  useLayoutEffect(() => {
    const before = lastPlacement.current;
    const isNewTarget = targetIndex >= 0 && before?.key !== target?.key;
    lastPlacement.current = { windowNumber: log.windowNumber, key: isNewTarget ? target?.key : before?.key };
    if (isNewTarget) return showRow(targetIndex, target?.align ?? 'center');
    if (before?.windowNumber === log.windowNumber) {
      if (!log.hasNewer && followsEnd()) toEnd();
      return;
    }
    // An opened conversation starts at the unread marker; jumping to the end later skips it.
    const firstNew = before && log.anchor === null ? -1 : indexOfNew(rows);
    if (firstNew >= 0) return showRow(firstNew, 'start', -ABOVE_NEW_PX);
    const anchor = log.anchor === null ? -1 : indexOfSeq(rows, log.anchor);
    if (anchor >= 0) showRow(anchor, 'center');
    else toEnd();
  }, [lastKey, log.windowNumber, log.hasNewer, target?.key, targetIndex >= 0]);
}

type LoadMoreParams = Pick<LogScrollParams, 'logId' | 'log'> & {
  viewport: { current: HTMLDivElement | null };
};

function useLoadMore({ logId, log, viewport }: LoadMoreParams) {
  const isLoading = useRef(false);
  /** Whether the user is about to see the end of what is loaded. */
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const run = async (load: (logId: string) => Promise<void>) => {
    isLoading.current = true;
    setFailed(false);
    try {
      await load(logId);
    } catch (error) {
      showFailure(error);
      setFailed(true);
    }
    isLoading.current = false;
    setLoadingMore(false);
  };
  /** `direction` is negative while scrolling up. */
  const loadMore = (direction: number) => {
    const box = viewport.current;
    if (!box) return;
    const { clientHeight, scrollTop } = box;
    const above = log.hasOlder ? scrollTop : Number.POSITIVE_INFINITY;
    const below = log.hasNewer ? box.scrollHeight - clientHeight - scrollTop : Number.POSITIVE_INFINITY;
    const distanceToLoad = (isToward: boolean) => (isToward ? Math.max(LOAD_PX, LOAD_SCREENS * clientHeight) : LOAD_PX);
    if (!isLoading.current) {
      if (above < distanceToLoad(direction < 0)) void run(loadOlder);
      else if (below < distanceToLoad(direction > 0)) void run(loadNewer);
    }
    setLoadingMore(isLoading.current && Math.min(above, below) < LOAD_PX);
  };
  // At its end, the list cannot be scrolled to load more.
  const retryLoading = () => {
    setFailed(false);
    loadMore(0);
  };
  const onReconnect = useEffectEvent(() => void (hasFailed && retryLoading()));
  useEffect(() => {
    return onConnected(() => onReconnect());
  }, []);
  return { isLoadingMore, loadMore, retryLoading: hasFailed ? retryLoading : undefined };
}

const showFailure = (error: unknown) => showErrorToast(error, 'Failed to load messages');

type TrimParams = Pick<LogScrollParams, 'logId' | 'rows'> & { list: { current: VirtualizerHandle | null } };

function useTrim({ logId, rows, list }: TrimParams): void {
  useEffect(() => {
    const top = list.current?.findItemIndex(list.current.scrollOffset) ?? 0;
    const visibleSeq = seqFrom(rows, top);
    if (visibleSeq !== undefined) changeLog(logId, (log) => trimmedToWindow(log, visibleSeq));
  }, [logId, rows, list]);
}

type RowEnds = { windowNumber: number; first: string | undefined; last: string | undefined; count: number };

/** True for the render that adds or removes rows before the first one, so that the visible rows stay in place. */
function useShift(rows: readonly MessageRow[], windowNumber: number): { isShifted: boolean } {
  const first = rows.find(({ kind }) => kind === 'message')?.key;
  const last = rows.at(-1)?.key;
  const lastEnds = useRef<RowEnds>(undefined);
  const previous = lastEnds.current;
  const isSameWindow = previous?.windowNumber === windowNumber && previous.last === last;
  const isShifted = isSameWindow && previous.first !== first && previous.count !== rows.length;
  useLayoutEffect(() => {
    lastEnds.current = { windowNumber, first, last, count: rows.length };
  });
  return { isShifted };
}
