import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';

/** `step`: Back undoes this change, as for something chosen; `stay`: it does not, as for something typed. */
type Kind = 'step' | 'stay';

/** Filters, tabs and pages live in the address, so that people keep their place. What equals its default is left out. */
export function useUrlState<State extends Record<string, string>>(
  defaults: State,
): [State, (changes: Partial<State>, kind?: Kind) => void] {
  const [params, setParams] = useSearchParams();
  const entries = Object.entries(defaults).map(([name, value]) => [name, params.get(name) ?? value]);
  const change = useCallback(
    (changes: Partial<State>, kind: Kind = 'stay') => {
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value === undefined || value === defaults[name]) next.delete(name);
            else next.set(name, String(value));
          }
          return next;
        },
        { replace: kind === 'stay' },
      );
    },
    [setParams, defaults],
  );
  return [Object.fromEntries(entries) as State, change];
}
