import { styled } from 'styled-components';
import { theme } from './theme.ts';
import { VisuallyHidden } from './visually-hidden.tsx';

type Props = {
  count: number;
  label: string;
  tone?: 'danger' | 'accent';
};

export function Badge({ count, label, tone = 'danger' }: Props) {
  if (count <= 0) return null;
  return (
    <Bubble $tone={tone}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <VisuallyHidden>{`${count} ${label}`}</VisuallyHidden>
    </Bubble>
  );
}

const Bubble = styled.span<{ $tone: 'danger' | 'accent' }>`
  position: relative;
  display: inline-block;
  min-width: 20px;
  height: 20px;
  padding: 0 6px;
  border-radius: ${theme.radius.full};
  background: ${({ $tone }) => ($tone === 'danger' ? theme.color.danger : theme.color.accent)};
  color: ${({ $tone }) => ($tone === 'danger' ? theme.color.onDanger : theme.color.onAccent)};
  font: 600 11px / 20px var(--font);
  text-align: center;
  font-variant-numeric: tabular-nums;
`;
