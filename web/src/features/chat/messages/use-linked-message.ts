import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { showErrorToast } from '#ui/overlays/toast.ts';
import { MESSAGE } from '../conversations/use-selection.ts';
import { jumpTo } from '../log/load-messages.ts';

const HIGHLIGHT_MS = 3_000;

/** A message to show, with the key of its history entry: the same message may be requested again. */
export type Target = { seq: number; key: string };

export function useTarget() {
  const [params, setParams] = useSearchParams();
  const { key } = useLocation();
  const seq = params.get(MESSAGE) ?? '';
  const target: Target | null = /^[1-9]\d{0,14}$/.test(seq) ? { seq: Number(seq), key } : null;
  const goTo = (seq: number) => setParams((before) => withMessage(before, seq));
  return { target, goTo };
}

function withMessage(before: URLSearchParams, seq: number): URLSearchParams {
  const next = new URLSearchParams(before);
  next.set(MESSAGE, String(seq));
  return next;
}

export function useJumps(conversationId: string, target: Target | null, isLoaded: boolean): void {
  const seq = target?.seq;
  const key = target?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a repeated request must jump to the same message again
  useEffect(() => {
    if (seq === undefined || !isLoaded) return;
    jumpTo(conversationId, seq).catch((error) => showErrorToast(error, 'Failed to load messages'));
  }, [conversationId, seq, key, isLoaded]);
}

export function useHighlightedMessage(target: Target | null, isInLog: boolean): number | null {
  const [endedKey, setEndedKey] = useState<string | null>(null);
  const key = target?.key ?? null;
  useEffect(() => {
    if (key === null || !isInLog) return;
    const timer = setTimeout(() => setEndedKey(key), HIGHLIGHT_MS);
    return () => {
      clearTimeout(timer);
      // Returning to that history entry highlights it again.
      setEndedKey(null);
    };
  }, [key, isInLog]);
  return target && endedKey !== key ? target.seq : null;
}
