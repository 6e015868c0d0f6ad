import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useNavigationType, useSearchParams } from 'react-router-dom';
import { navigateUnblocked } from '../forms/unsaved-changes.ts';
import { isRecord } from '../is-record.ts';
import { useStableCallback } from './use-stable-callback.ts';

/** History state of an overlay that was opened within the app, so that closing it goes back. */
export const OPENED_HERE = { isOpenedHere: true };

/**
 * The overlay open over a screen is in the URL, at most one of these names with an id: `?task=<id>`. Opening pushes;
 * closing goes back, or replaces where a link led straight to it. A different name replaces the current overlay, as
 * editing does details; the same name is pushed. Navigating to another screen from an overlay replaces it and must not
 * close it first.
 */
export function useOverlayHistory<Name extends string>(...names: readonly Name[]) {
  const [params, setParams] = useSearchParams();
  const location = useLocation();
  const navigate = useNavigate();
  /** Back is asynchronous: a second press before it completes would go back twice. */
  const closedAt = useRef<string | null>(null);
  const navigationType = useNavigationType();
  /**
   * Effects of the overlay run before those of its owner, so it differs from the location while the overlay
   * reacts to Back.
   */
  const settledAt = useRef(location.key);
  // Forward reopens it, and it can close again.
  useEffect(() => {
    if (closedAt.current !== location.key) closedAt.current = null;
    settledAt.current = location.key;
  }, [location.key]);
  const name = names.find((candidate) => params.get(candidate));
  const opened = name ? { name, id: params.get(name) ?? '' } : null;

  const open = (next: Name, id: string) => {
    const search = without(params, names);
    search.set(next, id);
    if (opened && opened.name !== next) setParams(search, { replace: true, state: location.state });
    else setParams(search, opened ? {} : { state: OPENED_HERE });
  };
  const close = () => {
    if (!opened || closedAt.current === location.key) return;
    // Back or Forward has just led here and closes overlays; the one in the URL stays.
    if (navigationType === 'POP' && settledAt.current !== location.key) return;
    closedAt.current = location.key;
    if (isOpenedHere(location.state)) void navigateUnblocked(() => navigate(-1));
    else setParams(without(params, names), { replace: true });
  };
  const turn = (id: string) => {
    if (!opened) return;
    const search = new URLSearchParams(params);
    search.set(opened.name, id);
    setParams(search, { replace: true, state: location.state });
  };
  return { opened, open, turn, close };
}

function without(params: URLSearchParams, names: readonly string[]): URLSearchParams {
  const rest = new URLSearchParams(params);
  for (const name of names) rest.delete(name);
  return rest;
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
