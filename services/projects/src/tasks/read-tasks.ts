import { notFound } from '@atrium/service-kit/app-error';
import type { Caller } from '@atrium/service-kit/authenticate';
import { toPage } from '@atrium/service-kit/page';
import type { Deps } from '../app.ts';
import { findProject } from '../projects/project-repository.ts';
import { abilities } from './policy.ts';
import { presentTask } from './present-task.ts';
import { listTaskRows } from './task-repository.ts';

/** The tasks of one project; every signed-in user reads them, as they read projects. */
export async function listProjectTasks(
  { db, directory }: Deps,
  caller: Caller,
  { projectId, query }: { projectId: string; query: { page: number; limit: number } },
) {
  const project = await findProject(db, projectId);
  if (!project) throw notFound('Project');
  const { rows, total } = await listTaskRows(db, projectId, {
    limit: query.limit,
    offset: (query.page - 1) * query.limit,
  });
  return toPage(
    rows.map((row) => presentTask(directory, row, abilities(caller, project, row))),
    total,
    query,
  );
}
