import { Pill } from '../../ui/pill.tsx';

/** Says of a meeting of today or tomorrow that it is; `distance` in days from today. */
export function SoonPill({ distance }: { distance: number }) {
  if (distance === 0) return <Pill tone="accent">Today</Pill>;
  return distance === 1 ? <Pill>Tomorrow</Pill> : null;
}
