import type { Task, TaskStatus } from '@atrium/proto-events/http/tasks';
import { Circle, CircleAlert, CircleCheck, CircleDotDashed, CircleEllipsis } from 'lucide-react';
import { styled } from 'styled-components';
import { iconSize } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { PRIORITY_COLORS, priorityLabel } from '../priority.ts';

const statuses = {
  todo: { icon: Circle, color: theme.color.text3 },
  'in-progress': { icon: CircleDotDashed, color: theme.color.accent },
  review: { icon: CircleEllipsis, color: theme.color.warning },
  done: { icon: CircleCheck, color: theme.color.success },
} as const;

export function StatusIcon({ status }: { status: TaskStatus }) {
  const { icon: Icon, color } = statuses[status];
  return <Icon aria-hidden="true" style={{ width: 16, height: 16, color }} />;
}

const BARS = { urgent: 0, high: 3, medium: 2, low: 1 } as const;

export function PriorityIcon({ priority }: { priority: Task['priority'] }) {
  const bars = BARS[priority];
  const label = `${priorityLabel(priority)} priority`;
  return (
    <IconFrame title={label} style={{ color: PRIORITY_COLORS[priority] }}>
      {bars === 0 ? <CircleAlert aria-hidden="true" /> : <Bars filled={bars} />}
      <VisuallyHidden>{label}</VisuallyHidden>
    </IconFrame>
  );
}

function Bars({ filled }: { filled: number }) {
  return (
    <svg viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
      {[5, 8, 11].map((height, bar) => (
        <rect
          key={height}
          x={2 + bar * 4.5}
          y={13.5 - height}
          width="3"
          height={height}
          rx="1"
          opacity={bar < filled ? 1 : 0.25}
        />
      ))}
    </svg>
  );
}

const IconFrame = styled.span`
  position: relative;
  display: inline-flex;
  ${iconSize(16)}
`;
