import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useNavigationType, useSearchParams } from 'react-router-dom';
import { navigateUnblocked } from '../forms/navigation-blocker.ts';
import { isRecord } from '../is-record.ts';

/** Stands in the history beside the address of something that was opened here, so that closing it goes back. */
export const OPENED_HERE = { isOpenedHere: true };

/**
 * What is open over a screen stands in the address, at most one of these names with an id: `?task=<id>`. Opening pushes; closing
 * goes back, or, where a link led straight to it, replaces. One that follows another, as editing does details, takes its place;
 * another of the same name is pushed. Whoever goes to another screen from there replaces, and does not close first.
 */
export function useOverlayHistory<Name extends string>(...names: readonly Name[]) {
  const [params, setParams] = useSearchParams();
  const location = useLocation();
  const navigate = useNavigate();
  /** Back takes a moment, in which a second press would go back twice. */
  const closedAt = useRef<string | null>(null);
  const navigationType = useNavigationType();
  /** Effects of the overlay run before those of its owner, so it differs from the location while the overlay reacts to Back. */
  const settledAt = useRef(location.key);
  // Whoever comes back to it by Forward may close it again.
  useEffect(() => {
    if (closedAt.current !== location.key) closedAt.current = null;
    settledAt.current = location.key;
  }, [location.key]);
  const name = names.find((one) => params.get(one));
  const opened = name ? { name, id: params.get(name) ?? '' } : null;

  const open = (next: Name, id: string) => {
    const search = without(params, names);
    search.set(next, id);
    if (opened && opened.name !== next) setParams(search, { replace: true, state: location.state });
    else setParams(search, opened ? {} : { state: OPENED_HERE });
  };
  const close = () => {
    if (!opened || closedAt.current === location.key) return;
    // Back or Forward has just led here and closes overlays; what is open by the address is where it belongs.
    if (navigationType === 'POP' && settledAt.current !== location.key) return;
    closedAt.current = location.key;
    if (isOpenedHere(location.state)) void navigateUnblocked(() => navigate(-1));
    else setParams(without(params, names), { replace: true });
  };
  /** Shows another of the same name in its place; Back closes it as before. */
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
