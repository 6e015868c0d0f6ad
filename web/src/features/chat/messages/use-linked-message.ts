import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { MESSAGE } from '#entities/message/message-path.ts';
import { showErrorToast } from '#ui/overlays/toast.ts';
import { jumpTo } from '../log/load-messages.ts';
import { findPlace, type ScrollPosition } from './use-return.ts';

const HIGHLIGHT_MS = 3_000;

/** A message to show, with the key of its history entry: the same message may be requested again. */
export type Target = {
  seq: number;
  key: string;
  /** For a place that the user returns to, which is not highlighted. */
  align?: ScrollPosition['align'];
};

/** Reads the message to show from a URL parameter, or where the user was before they followed a link. */
export function useTarget(logId: string, name = MESSAGE) {
  const [params, setParams] = useSearchParams();
  const { key } = useLocation();
  const seq = params.get(name) ?? '';
  const place = findPlace(logId, key);
  const returnTarget: Target | null = place ? { ...place, key } : null;
  const target: Target | null = /^[1-9]\d{0,14}$/.test(seq) ? { seq: Number(seq), key } : returnTarget;
  const goTo = (seq: number) => setParams((before) => withSeq(before, name, seq));
  return { target, goTo };
}

function withSeq(before: URLSearchParams, name: string, seq: number): URLSearchParams {
  const next = new URLSearchParams(before);
  next.set(name, String(seq));
  return next;
}

export function useJumps(logId: string, target: Target | null, isLoaded: boolean): void {
  const seq = target?.seq;
  const key = target?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a repeated request must jump to the same message again
  useEffect(() => {
    if (seq === undefined || !isLoaded) return;
    jumpTo(logId, seq).catch((error) => showErrorToast(error, 'Failed to load messages'));
  }, [logId, seq, key, isLoaded]);
}

export function useHighlightedMessage(target: Target | null, isInLog: boolean): number | null {
  const [endedKey, setEndedKey] = useState<string | null>(null);
  const key = target && !target.align ? target.key : null;
  useEffect(() => {
    if (key === null || !isInLog) return;
    const timer = setTimeout(() => setEndedKey(key), HIGHLIGHT_MS);
    return () => {
      clearTimeout(timer);
      // Returning to that history entry highlights it again.
      setEndedKey(null);
    };
  }, [key, isInLog]);
  return target && key !== null && endedKey !== key ? target.seq : null;
}
