import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

/** `push`: Back undoes this change, as for something chosen; `replace`: it does not, as for something typed. */
export type HistoryStep = 'push' | 'replace';

/** Filters, tabs and pages live in the address, so that people keep their place. What equals its default is left out. */
export function useUrlState<State extends Record<string, string>>(
  defaults: State,
): [State, (changes: Partial<State>, step?: HistoryStep) => void] {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const entries = Object.entries(defaults).map(([name, value]) => [name, params.get(name) ?? value]);
  const change = useCallback(
    (changes: Partial<State>, step: HistoryStep = 'replace') => {
      setParams(
        () => {
          // Of the address itself: what was just chosen is there before it is shown, and would be lost again.
          const next = new URLSearchParams(window.location.search);
          for (const [name, value] of Object.entries(changes)) {
            if (value === undefined || value === defaults[name]) next.delete(name);
            else next.set(name, String(value));
          }
          return next;
        },
        // What replaces an entry leaves how that came about.
        step === 'replace' ? { replace: true, state } : {},
      );
    },
    [setParams, defaults, state],
  );
  return [Object.fromEntries(entries) as State, change];
}
