import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { listProjects as listContract } from '@atrium/proto-events/http/projects';
import { notFound } from '@atrium/service-kit/app-error';
import type { Caller } from '@atrium/service-kit/authenticate';
import { toPage } from '@atrium/service-kit/page';
import type { Deps } from '../app.ts';
import { readersDay } from '../readers-day.ts';
import { listProjectPage } from './list-project-page.ts';
import { presentProject } from './present-project.ts';
import type { ProjectFilter } from './project-lists.ts';
import { findProject } from './project-repository.ts';
import { countProjects } from './project-stats.ts';

type Query = RequestOf<typeof listContract>['query'];

/** Every signed-in user sees every project (decisions, section 4). */
export const listProjects = (deps: Deps, caller: Caller, query: Query) => list(deps, caller, { query, filter: query });

export const listMyProjects = (deps: Deps, caller: Caller, query: Query) =>
  list(deps, caller, { query, filter: { ...query, person: caller.userId } });

async function list(
  deps: Deps,
  caller: Caller,
  { query, filter }: { query: { page: number; limit: number }; filter: ProjectFilter },
) {
  const { rows, total } = await listProjectPage(deps, filter, {
    limit: query.limit,
    offset: (query.page - 1) * query.limit,
  });
  return toPage(
    rows.map((row) => presentProject(deps.directory, caller, row)),
    total,
    query,
  );
}

export async function getProject({ db, directory }: Deps, caller: Caller, id: string) {
  const row = await findProject(db, id);
  if (!row) throw notFound('Project');
  return presentProject(directory, caller, row);
}

export function getProjectStats({ db, directory }: Deps, caller: Caller) {
  return countProjects(db, readersDay(directory, caller));
}
