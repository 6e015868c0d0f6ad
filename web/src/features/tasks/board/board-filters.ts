import type { Task } from '@atrium/proto-events/http/tasks';
import { PRIORITY_OPTIONS } from '../../../entities/priority.ts';
import { isId } from '../../../lib/is-id.ts';

/** What the board's address holds: its filters, and on a small screen the column that is shown. */
export type BoardFilterState = { search: string; priority: string; assignee: string; column: string };

export const WHOLE_BOARD: BoardFilterState = { search: '', priority: 'all', assignee: 'all', column: 'todo' };

export type BoardFilters = Pick<BoardFilterState, 'search' | 'priority' | 'assignee'>;

/** The filters of the address as they can be chosen: one for somebody who is not of the project is none. */
export function chosenFilters(place: BoardFilterState, people: readonly { value: string }[]): BoardFilterState {
  return people.some(({ value }) => value === place.assignee) ? place : { ...place, assignee: WHOLE_BOARD.assignee };
}

/** The server's words for the filters; what the address holds beyond the known is no filter. */
export function boardQuery({ search, priority, assignee }: BoardFilters) {
  return { search, priority: priorityOf(priority) ?? '', ...(isId(assignee) ? { assignedTo: assignee } : {}) };
}

export function isBoardFiltered({ search, priority, assignee }: BoardFilters): boolean {
  return search !== '' || priorityOf(priority) !== undefined || isId(assignee);
}

function priorityOf(given: string): Task['priority'] | undefined {
  return PRIORITY_OPTIONS.find(({ value }) => value === given)?.value;
}
