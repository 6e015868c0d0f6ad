import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import { invalidField, unavailable } from '../errors/app-error.ts';
import type { ProjectDirectory } from './project-directory.ts';

/**
 * The project named in the `project` field of a body. Throws `validation_failed` if it does not exist, and
 * `unavailable` while that is unknown: during an upgrade, a service may start before the directory is filled.
 */
export function requireProject(projects: ProjectDirectory, id: string): DirectoryProject {
  const project = projects.project(id);
  if (project && !project.deleted) return project;
  if (!project && !projects.isComplete())
    throw unavailable('Projects are not available yet. Please try again in a moment.');
  throw invalidField('project', 'Project not found');
}
