import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import type { VirtualizerHandle } from 'virtua';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { type MessageRow, seqFrom } from './message-rows.ts';

/** A message, and the edge of the visible part of the log that it was at. */
export type ScrollPosition = { seq: number; align: 'start' | 'end' };

const MAX_PLACES = 100;
/** Where the user was in a log when a link led elsewhere, by the log and the key of the history entry. */
const places = createUserScopedStore(() => new Map<string, ScrollPosition>());

const placeKey = (logId: string, key: string) => `${logId} ${key}`;

/** Returns the place that going back in the history returns to. */
export const findPlace = (logId: string, key: string): ScrollPosition | undefined =>
  places.get().get(placeKey(logId, key));

function storePlace(logId: string, key: string, place: ScrollPosition | undefined): void {
  const all = places.get();
  all.delete(placeKey(logId, key));
  if (place) all.set(placeKey(logId, key), place);
  const [oldest] = all.keys();
  if (all.size > MAX_PLACES && oldest !== undefined) all.delete(oldest);
}

type Params = {
  logId: string;
  rows: readonly MessageRow[];
  list: RefObject<VirtualizerHandle | null>;
  isAtEnd: boolean;
  /** Whether the current history entry leads to a message. */
  hasTarget: boolean;
};

/** Stores the place of a history entry when the user leaves it: by a link in the same log, or to another screen. */
export function useReturn({ logId, rows, list, isAtEnd, hasTarget }: Params): void {
  const { key } = useLocation();
  const findCurrentPlace = (): ScrollPosition | undefined => {
    const seq = isAtEnd ? rows.findLast((row) => row.kind === 'message')?.message.seq : seqFrom(rows, topIndex(list));
    return seq === undefined ? undefined : { seq, align: isAtEnd ? 'end' : 'start' };
  };
  const latest = useRef({ key, findCurrentPlace });
  useLayoutEffect(() => {
    const before = latest.current;
    latest.current = { key, findCurrentPlace };
    // Opening or closing something next to the log does not move it.
    if (before.key !== key) storePlace(logId, before.key, hasTarget ? before.findCurrentPlace() : undefined);
  });
  useLayoutEffect(() => {
    return () => {
      const { key: lastKey, findCurrentPlace: find } = latest.current;
      if (historyKey() === lastKey) return;
      const place = find();
      // Like any other log, one that was left at its end opens at its end, or at what is new.
      storePlace(logId, lastKey, place?.align === 'end' ? undefined : place);
    };
  }, [logId]);
}

/** The key of the current entry, before the screen has changed; the router gives the first entry no state. */
const historyKey = (): string => window.history.state?.key ?? 'default';

const topIndex = ({ current }: RefObject<VirtualizerHandle | null>): number =>
  current ? current.findItemIndex(current.scrollOffset) : 0;
