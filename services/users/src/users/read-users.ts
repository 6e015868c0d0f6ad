import type { RequestOf } from '@atrium/proto-events/endpoint';
import type {
  listUsers as listContract,
  listProjectManagers as managersContract,
} from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { notFound } from '@atrium/service-kit/app-error';
import { toPage } from '@atrium/service-kit/page';
import type { Deps } from '../app.ts';
import { presentSummary, presentUser } from './present-user.ts';
import { listProjectManagerRows, listUserRows } from './user-lists.ts';
import { findUser } from './user-repository.ts';
import { countUsers } from './user-stats.ts';

type Query = RequestOf<typeof listContract>['query'];

/** Every signed-in user sees everybody (decisions, section 3). */
export async function listUsers(deps: Deps, query: Query) {
  const { rows, total } = await listUserRows(deps, query, {
    limit: query.limit,
    offset: (query.page - 1) * query.limit,
  });
  return toPage(rows.map(presentUser), total, query);
}

export async function getUser({ db }: Deps, id: string): Promise<User> {
  const row = await findUser(db, id);
  if (!row) throw notFound('User');
  return presentUser(row);
}

export async function listProjectManagers(deps: Deps, query: RequestOf<typeof managersContract>['query']) {
  return (await listProjectManagerRows(deps, query)).map(presentSummary);
}

export function getUserStats({ db }: Deps) {
  return countUsers(db);
}
