import { Pill } from '#ui/pill.tsx';

export function SoonPill({ distance }: { distance: number }) {
  if (distance === 0) return <Pill tone="accent">Today</Pill>;
  return distance === 1 ? <Pill>Tomorrow</Pill> : null;
}
