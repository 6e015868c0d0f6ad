import type { Task, TaskStatus } from '@atrium/proto-events/http/tasks';
import {
  Circle,
  CircleAlert,
  CircleCheck,
  CircleDotDashed,
  CircleEllipsis,
  SignalHigh,
  SignalLow,
  SignalMedium,
} from 'lucide-react';
import { styled } from 'styled-components';
import { theme } from '../../ui/theme.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { priorityLabel } from './task-words.ts';

const statuses = {
  todo: { icon: Circle, color: theme.color.text3 },
  'in-progress': { icon: CircleDotDashed, color: theme.color.accent },
  review: { icon: CircleEllipsis, color: theme.color.warning },
  done: { icon: CircleCheck, color: theme.color.success },
} as const;

/** Stands before the words of a status and only repeats them. */
export function StatusMark({ status }: { status: TaskStatus }) {
  const { icon: Icon, color } = statuses[status];
  return <Icon aria-hidden="true" style={{ width: 16, height: 16, color }} />;
}

const priorities = {
  urgent: { icon: CircleAlert, color: theme.color.danger },
  high: { icon: SignalHigh, color: theme.color.danger },
  medium: { icon: SignalMedium, color: theme.color.warning },
  low: { icon: SignalLow, color: theme.color.success },
} as const;

/** How much a task presses, as a sign with its words on hover and for screen readers. */
export function PriorityMark({ priority }: { priority: Task['priority'] }) {
  const { icon: Icon, color } = priorities[priority];
  const words = `${priorityLabel(priority)} priority`;
  return (
    <Mark title={words} style={{ color }}>
      <Icon aria-hidden="true" />
      <VisuallyHidden>{words}</VisuallyHidden>
    </Mark>
  );
}

const Mark = styled.span`
  position: relative;
  display: inline-flex;
  svg {
    width: 16px;
    height: 16px;
    stroke-width: 2.25;
  }
`;
