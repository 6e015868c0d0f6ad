import { styled } from 'styled-components';
import { hiddenInPrint } from '#ui/mixins.ts';
import { Pill } from '#ui/pill.tsx';

/** Next to the date, which printed pages show alone. */
export function SoonPill({ distance }: { distance: number }) {
  if (distance !== 0 && distance !== 1) return null;
  return <OnScreen>{distance === 0 ? <Pill tone="accent">Today</Pill> : <Pill>Tomorrow</Pill>}</OnScreen>;
}

const OnScreen = styled.span`
  display: inline-flex;
  flex: none;
  ${hiddenInPrint}
`;
