import type { Project } from '@atrium/proto-events/http/projects';
import { theme } from '#ui/theme.ts';

/** Projects and tasks share one definition in the contract. */
type Priority = Project['priority'];

export const PRIORITY_OPTIONS: readonly { value: Priority; label: string }[] = [
  { value: 'urgent', label: 'Urgent' },
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
];

export function priorityLabel(priority: Priority): string {
  return PRIORITY_OPTIONS.find(({ value }) => value === priority)?.label ?? priority;
}

export const PRIORITY_COLORS: Record<Priority, string> = {
  urgent: theme.color.danger,
  high: theme.color.danger,
  medium: theme.color.warning,
  low: theme.color.success,
};
