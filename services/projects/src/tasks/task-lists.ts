import { priority as priorities } from '@atrium/proto-events/http/projects';
import type { List } from '@atrium/service-kit/postgres/find-page';

export type TaskFilter = {
  ids?: string[] | undefined;
  project?: string | undefined;
  assignedTo?: string | undefined;
  search?: string | undefined;
  status?: string[] | undefined;
  priority?: string[] | undefined;
  sort: 'newest' | 'priority';
};

/** Written as the index `tasks_by_priority` has it. */
const URGENT_FIRST = `array_position(array['${priorities.options.join("', '")}'], priority)`;

/** Those of a project or a person are sorted, which the sum tells: the index of all would be read far for them. */
const orderOf = (sort: TaskFilter['sort'], isOfAll: boolean) =>
  sort === 'newest' ? 'created_at desc, id desc' : `${URGENT_FIRST}${isOfAll ? '' : ' + 0'}, due_date, id`;

export const taskList = ({ ids, project, assignedTo, search, status, priority, sort }: TaskFilter): List => ({
  from: 'tasks',
  within: { 'id = any(?)': ids, 'project_id = ?': project, 'assigned_to = ?': assignedTo },
  where: {
    'status = any(?)': status,
    'priority = any(?)': priority,
  },
  search: { in: 'search', for: search },
  orderBy: orderOf(sort, !ids && !project && !assignedTo),
  counts: ids || project || assignedTo ? undefined : 'task_totals',
});
