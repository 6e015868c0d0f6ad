import { type KeyboardEvent, useEffect, useState } from 'react';
import { isComposing } from '#lib/forms/is-composing.ts';

/**
 * The row that Enter chooses: the first one, until the user moves. Rows that appear later do not change it; `reset`
 * restarts for another query.
 */
export function useActiveRow(ids: readonly string[], onChoose: (id: string) => void) {
  const [chosen, setChosen] = useState<string | null>(null);
  const active = chosen !== null && ids.includes(chosen) ? chosen : ids[0];
  if (active !== undefined && active !== chosen) setChosen(active);
  const move = (steps: number) => {
    const index = active === undefined ? 0 : ids.indexOf(active);
    setChosen(ids[(index + steps + ids.length) % ids.length] ?? null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (steps === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (steps !== undefined) move(steps);
    else if (active !== undefined) onChoose(active);
  };
  useEffect(() => {
    if (active) document.getElementById(active)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return { active, onKeyDown, reset: () => setChosen(null), point: setChosen };
}
