import type { ListQuery } from '@atrium/service-kit/postgres/find-page';

export type ProjectFilter = {
  /** Projects the user manages or belongs to. */
  person?: string;
  ids?: string[] | undefined;
  search?: string | undefined;
  status?: string[] | undefined;
  priority?: string[] | undefined;
};

/** As an array: the planner overestimates a subquery and would scan all projects. */
const IDS_OF_USER = `id = any(array(
  select id from projects where manager_id = ? union select project_id from project_members where user_id = ?
))`;

export const projectList = ({ person, ids, search, status, priority }: ProjectFilter): ListQuery => ({
  from: 'projects',
  within: { 'id = any(?)': ids, [IDS_OF_USER]: person },
  where: {
    'status = any(?)': status,
    'priority = any(?)': priority,
  },
  search: { in: 'search', for: search },
  orderBy: 'updated_at desc, id desc',
  counts: person || ids ? undefined : 'project_counts',
});
