import type { Task } from '@atrium/proto-events/http/tasks';
import { PRIORITY_OPTIONS } from '#entities/priority.ts';
import { isId } from '#lib/is-id.ts';

/** The filters in the board's URL and, on a small screen, the visible column. */
export type BoardFilterState = { search: string; priority: string; assignee: string; column: string };

export const WHOLE_BOARD: BoardFilterState = { search: '', priority: 'all', assignee: 'all', column: 'todo' };

export type BoardFilters = Pick<BoardFilterState, 'search' | 'priority' | 'assignee'>;

/** The valid filters of the URL: an assignee outside of the project is ignored. */
export function chosenFilters(place: BoardFilterState, people: readonly { value: string }[]): BoardFilterState {
  return people.some(({ value }) => value === place.assignee) ? place : { ...place, assignee: WHOLE_BOARD.assignee };
}

/** The query for the server; unknown values are ignored. */
export function boardQuery({ search, priority, assignee }: BoardFilters) {
  return { search, priority: priorityOf(priority) ?? '', ...(isId(assignee) ? { assignedTo: assignee } : {}) };
}

export function isBoardFiltered({ search, priority, assignee }: BoardFilters): boolean {
  return search !== '' || priorityOf(priority) !== undefined || isId(assignee);
}

function priorityOf(given: string): Task['priority'] | undefined {
  return PRIORITY_OPTIONS.find(({ value }) => value === given)?.value;
}
