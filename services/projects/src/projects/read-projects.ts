import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { listProjects as listContract } from '@atrium/proto-events/http/projects';
import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toPage } from '@atrium/service-kit/http/page';
import { findPage } from '@atrium/service-kit/postgres/find-page';
import type { Deps } from '../deps.ts';
import { localDateOf } from '../local-date.ts';
import { presentProject } from './present-project.ts';
import { type ProjectFilter, projectList } from './project-lists.ts';
import { findProject, readProjects } from './project-repository.ts';
import { countProjects } from './project-stats.ts';

type Query = RequestOf<typeof listContract>['query'];

/** Visible to every signed-in user (decisions, section 4). */
export async function listProjects({ db, directory }: Deps, caller: Caller, query: Query & ProjectFilter) {
  const { ids, total, more } = await findPage(db, projectList(query), query);
  const rows = await readProjects(db, ids);
  return toPage(
    rows.map((row) => presentProject(directory, caller, row, query.people)),
    total,
    { ...query, more },
  );
}

export async function getProject({ db, directory }: Deps, caller: Caller, id: string) {
  const row = await findProject(db, id);
  if (!row) throw notFound('Project');
  return presentProject(directory, caller, row);
}

export function getProjectStats({ db, directory }: Deps, caller: Caller) {
  return countProjects(db, localDateOf(directory, caller));
}
