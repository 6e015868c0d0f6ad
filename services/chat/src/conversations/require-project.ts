import { AppError } from '@atrium/service-kit/app-error';
import type { ProjectDirectory } from '@atrium/service-kit/project-directory';

/** A project that was made a moment ago may not be known yet. */
const SETTLE_MS = 1_000;

/** The project that a new conversation is about. Throws `validation_failed` unless it is there. */
export async function requireProject(projects: ProjectDirectory, id: string) {
  const project = await projects.whenProject(id, SETTLE_MS);
  if (project && !project.deleted) return { project_id: id, manager_id: project.managerId };
  const message = 'Project not found';
  throw new AppError('validation_failed', message, {
    messages: [message],
    errors: [{ path: 'body.project', message }],
  });
}
