import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

export type HistoryStep = 'push' | 'replace';

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
          // Reads the URL itself, because `params` lacks updates that are not rendered yet.
          const next = new URLSearchParams(window.location.search);
          for (const [name, value] of Object.entries(changes)) {
            if (value === undefined || value === defaults[name]) next.delete(name);
            else next.set(name, String(value));
          }
          return next;
        },
        step === 'replace' ? { replace: true, state } : {},
      );
    },
    [setParams, defaults, state],
  );
  return [Object.fromEntries(entries) as State, change];
}
