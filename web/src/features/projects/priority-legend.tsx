import { styled } from 'styled-components';
import { PRIORITY_COLORS, priorityLabel } from '#entities/priority.ts';
import { Inline } from '#ui/layout/primitives.ts';
import { theme } from '#ui/theme.ts';

const SHOWN = ['high', 'medium', 'low'] as const;

/** Explains the edge colors of the rows. */
export function PriorityLegend() {
  return (
    <Inline as="p" $gap={4} $rowGap={1} $wraps $size="sm" $tone="text2">
      <span>Priority:</span>
      {SHOWN.map((priority) => (
        <Entry key={priority} style={{ '--mark': PRIORITY_COLORS[priority] }}>
          {priorityLabel(priority)}
        </Entry>
      ))}
    </Inline>
  );
}

const Entry = styled.span`
  display: inline-flex;
  align-items: center;
  gap: ${theme.space[2]};
  &::before {
    content: '';
    width: 3px;
    height: 14px;
    border-radius: 3px;
    background: var(--mark);
  }
`;
