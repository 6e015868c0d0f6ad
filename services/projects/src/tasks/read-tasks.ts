import { notFound } from '@atrium/service-kit/app-error';
import { toPage } from '@atrium/service-kit/page';
import type { Deps } from '../app.ts';
import { findProject } from '../projects/project-repository.ts';
import { presentTask } from './present-task.ts';
import { listTaskRows } from './task-repository.ts';

/** The tasks of one project; every signed-in user reads them, as they read projects. */
export async function listProjectTasks(
  { db, directory }: Deps,
  projectId: string,
  query: { page: number; limit: number },
) {
  if (!(await findProject(db, projectId))) throw notFound('Project');
  const { rows, total } = await listTaskRows(db, projectId, {
    limit: query.limit,
    offset: (query.page - 1) * query.limit,
  });
  return toPage(
    rows.map((row) => presentTask(directory, row)),
    total,
    query,
  );
}
