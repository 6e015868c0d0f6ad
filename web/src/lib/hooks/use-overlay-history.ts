import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useNavigationType, useSearchParams } from 'react-router-dom';
import { navigateUnblocked } from '../forms/unsaved-changes.ts';
import { isRecord } from '../is-record.ts';
import { useStableCallback } from './use-stable-callback.ts';

/** History state of an overlay that was opened within the app, so that closing it goes back. */
export const OPENED_HERE = { isOpenedHere: true };

/**
 * Keeps the open overlay of a screen in the URL, as one of these names with an id: `?task=<id>`. Opening pushes a history
 * entry; closing goes back, or replaces the entry if a link led straight to it. Opening a different name replaces the
 * current overlay, as editing replaces details; opening the same name pushes. Navigating to a different screen from an
 * overlay replaces it and must not close it first.
 */
export function useOverlayHistory<Name extends string>(...names: readonly Name[]) {
  const [params, setParams] = useSearchParams();
  const location = useLocation();
  const navigate = useNavigate();
  /** Navigating back is asynchronous: a second press before it completes would go back twice. */
  const closedAt = useRef<string | null>(null);
  const navigationType = useNavigationType();
  /**
   * Effects of the overlay run before those of its owner, so this key differs from the location while the overlay reacts
   * to Back.
   */
  const settledAt = useRef(location.key);
  // Forward reopens the overlay, which can then close again.
  useEffect(() => {
    if (closedAt.current !== location.key) closedAt.current = null;
    settledAt.current = location.key;
  }, [location.key]);
  const name = names.find((candidate) => params.get(candidate));
  const opened = name ? { name, id: params.get(name) ?? '' } : null;

  const open = (next: Name, id: string) => {
    const search = omitParams(params, names);
    search.set(next, id);
    if (opened && opened.name !== next) setParams(search, { replace: true, state: location.state });
    else setParams(search, opened ? {} : { state: OPENED_HERE });
  };
  const close = () => {
    if (!opened || closedAt.current === location.key) return;
    // Back or Forward has just led here and closes overlays; the one in the URL stays.
    if (navigationType === 'POP' && settledAt.current !== location.key) return;
    closedAt.current = location.key;
    if (isOpenedHere(location.state)) navigateUnblocked(() => void navigate(-1));
    else setParams(omitParams(params, names), { replace: true });
  };
  const turn = (id: string) => {
    if (!opened) return;
    const search = new URLSearchParams(params);
    search.set(opened.name, id);
    setParams(search, { replace: true, state: location.state });
  };
  return { opened, open, turn, close };
}

function omitParams(params: URLSearchParams, names: readonly string[]): URLSearchParams {
  const remaining = new URLSearchParams(params);
  for (const name of names) remaining.delete(name);
  return remaining;
}

export function isOpenedHere(state: unknown): boolean {
  return isRecord(state) && 'isOpenedHere' in state;
}

export function useCloseOnNavigation(close: () => void): void {
  const { key } = useLocation();
  const onChange = useStableCallback(close);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each entry of the history has its own key
  useEffect(() => {
    return onChange;
  }, [key, onChange]);
}
