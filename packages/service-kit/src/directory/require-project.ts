import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import { invalidField, unavailable } from '../http/app-error.ts';
import type { ProjectDirectory } from './project-directory.ts';

/**
 * The project that a body names in `project`. Throws `validation_failed` unless it is there, and `unavailable` while nobody can
 * tell: during an upgrade a service may be ahead of the one that fills the directory.
 */
export function requireProject(projects: ProjectDirectory, id: string): DirectoryProject {
  const project = projects.project(id);
  if (project && !project.deleted) return project;
  if (!project && !projects.isComplete())
    throw unavailable('Projects are not available yet. Please try again in a moment.');
  throw invalidField('project', 'Project not found');
}
