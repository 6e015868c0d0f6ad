import { type KeyboardEvent, useEffect, useState } from 'react';
import { isComposing } from '#lib/forms/is-composing.ts';

/** Moves the active row by arrow keys while the search field keeps the focus; starts at the first. */
export function useActiveRow(ids: readonly string[], onChoose: (id: string) => void) {
  const [chosen, setChosen] = useState<string | null>(null);
  const active = chosen !== null && ids.includes(chosen) ? chosen : ids[0];
  const move = (steps: number) => {
    const place = active === undefined ? 0 : ids.indexOf(active);
    setChosen(ids[(place + steps + ids.length) % ids.length] ?? null);
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
  return { active, onKeyDown, forget: () => setChosen(null), point: setChosen };
}
