import { priority as priorities } from '@atrium/proto-events/http/projects';
import type { ListQuery } from '@atrium/service-kit/postgres/find-page';

export type TaskFilter = {
  ids?: string[] | undefined;
  project?: string | undefined;
  assignedTo?: string | undefined;
  search?: string | undefined;
  status?: string[] | undefined;
  priority?: string[] | undefined;
  sort: 'newest' | 'priority';
};

/** Must match the index `tasks_by_priority`. */
const URGENT_FIRST = `array_position(array['${priorities.options.join("', '")}'], priority)`;

/** A filtered list is sorted explicitly (`+ 0` hides the index): walking the index of all tasks would read too much. */
const orderOf = (sort: TaskFilter['sort'], isUnfiltered: boolean) =>
  sort === 'newest' ? 'created_at desc, id desc' : `${URGENT_FIRST}${isUnfiltered ? '' : ' + 0'}, due_date, id`;

export const taskList = ({ ids, project, assignedTo, search, status, priority, sort }: TaskFilter): ListQuery => ({
  from: 'tasks',
  where: {
    'id = any(?)': ids,
    'project_id = ?': project,
    'assigned_to = ?': assignedTo,
    'status = any(?)': status,
    'priority = any(?)': priority,
  },
  search: { in: 'search', for: search },
  orderBy: orderOf(sort, !ids && !project && !assignedTo),
});
