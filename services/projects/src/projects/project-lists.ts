import type { List } from '@atrium/service-kit/postgres/find-page';

export type ProjectFilter = {
  /** Projects that this person manages or is in. */
  person?: string;
  ids?: string[] | undefined;
  search?: string | undefined;
  status?: string[] | undefined;
  priority?: string[] | undefined;
};

/** As an array, because a planner takes such a set for larger than it is and reads every project instead. */
const OF_PERSON = `id = any(array(
  select id from projects where manager_id = ? union select project_id from project_members where user_id = ?
))`;

/** The most recently changed first. */
export const projectList = ({ person, ids, search, status, priority }: ProjectFilter): List => ({
  from: 'projects',
  within: { 'id = any(?)': ids, [OF_PERSON]: person },
  where: {
    'status = any(?)': status,
    'priority = any(?)': priority,
  },
  search: { in: 'search', for: search },
  orderBy: 'updated_at desc, id desc',
  counts: person || ids ? undefined : 'project_counts',
});
