import type { RequestOf } from '@atrium/proto-events/endpoint';
import type {
  listUsers as listContract,
  listProjectManagers as managersContract,
} from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toPage } from '@atrium/service-kit/http/page';
import { findPage } from '@atrium/service-kit/postgres/find-page';
import type { Deps } from '../deps.ts';
import { presentSummary, presentUser, presentUserTo } from './present-user.ts';
import { readUsers, userList } from './user-lists.ts';
import { findUser } from './user-repository.ts';
import { countUsers } from './user-stats.ts';

type Query = RequestOf<typeof listContract>['query'];

/** Visible to every signed-in user. */
export async function listUsers({ db }: Deps, caller: Caller, query: Query) {
  const { ids, total, more } = await findPage(db, userList(query, visibleOrder(caller, query)), query);
  const users = (await readUsers(db, ids)).map((row) => presentUserTo(caller, row));
  return toPage(users, total, { ...query, more });
}

/** The sort order would reveal last sign-ins, which only administrators see. */
const visibleOrder = ({ role }: Caller, { sortBy, sortOrder }: Query) =>
  sortBy === 'lastLogin' && role !== 'admin' ? undefined : { sortBy, sortOrder };

export async function getUser({ db }: Deps, caller: Caller, id: string): Promise<User> {
  const row = await findUser(db, id);
  if (!row) throw notFound('User');
  return presentUserTo(caller, row);
}

export async function getProfile({ db }: Deps, { userId }: Caller): Promise<User> {
  const row = await findUser(db, userId);
  if (!row) throw notFound('User');
  return presentUser(row);
}

export async function listProjectManagers({ db }: Deps, query: RequestOf<typeof managersContract>['query']) {
  const list = userList({ search: query.search, roles: ['admin', 'project_manager'], status: 'active' });
  const { ids } = await findPage(db, list, { page: 1, limit: query.limit });
  return (await readUsers(db, ids)).map(presentSummary);
}

export function getUserStats({ db }: Deps) {
  return countUsers(db);
}
