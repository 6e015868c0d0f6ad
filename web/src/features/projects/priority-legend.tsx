import { styled } from 'styled-components';
import { PRIORITY_COLORS, priorityLabel } from '#entities/priority.ts';
import { theme } from '#ui/theme.ts';

const SHOWN = ['high', 'medium', 'low'] as const;

/** Explains the edge colors of the rows. */
export function PriorityLegend() {
  return (
    <Line>
      <span>Priority:</span>
      {SHOWN.map((priority) => (
        <Entry key={priority} style={{ '--mark': PRIORITY_COLORS[priority] }}>
          {priorityLabel(priority)}
        </Entry>
      ))}
    </Line>
  );
}

const Line = styled.p`
  display: flex;
  flex-wrap: wrap;
  gap: ${theme.space[1]} ${theme.space[4]};
  font: ${theme.text.sm};
  color: ${theme.color.text2};
`;

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
