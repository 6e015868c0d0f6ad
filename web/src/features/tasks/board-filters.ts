import type { Task } from '@atrium/proto-events/http/tasks';
import { TASK_PRIORITY_OPTIONS } from './task-words.ts';

/** What the board's address holds: its filters, and on a small screen the column that is shown. */
export type BoardPlace = { search: string; priority: string; assignee: string; column: string };

export const WHOLE_BOARD: BoardPlace = { search: '', priority: 'all', assignee: 'all', column: 'todo' };

export type BoardFilters = Pick<BoardPlace, 'search' | 'priority' | 'assignee'>;

const ID = /^[0-9a-f]{24}$/;

/** The server's words for the filters; what the address holds beyond the known is no filter. */
export function boardQuery({ search, priority, assignee }: BoardFilters) {
  return { search, priority: priorityOf(priority) ?? '', ...(ID.test(assignee) ? { assignedTo: assignee } : {}) };
}

export function isBoardFiltered({ search, priority, assignee }: BoardFilters): boolean {
  return search !== '' || priorityOf(priority) !== undefined || ID.test(assignee);
}

function priorityOf(given: string): Task['priority'] | undefined {
  return TASK_PRIORITY_OPTIONS.find(({ value }) => value === given)?.value;
}
