import { EventEmitter, once } from 'node:events';
import { type DirectoryProject, directoryProject } from '@atrium/proto-events/project-directory';
import { followBucket, openBucket } from './bucket.ts';
import type { Logger } from './logger.ts';
import type { Messaging } from './messaging.ts';

/** Projects in memory, fed from the projects service, for a service that says `projects: true` in its parts. */
export type ProjectDirectory = {
  /** The project; also a deleted one, which says so. */
  project(id: string): DirectoryProject | undefined;
  /** Waits at most `ms` milliseconds for a project that is not known yet: it may have been made a moment ago. */
  whenProject(id: string, ms: number): Promise<DirectoryProject | undefined>;
  putProject(project: DirectoryProject): void;
};

/** An empty directory of projects. An older version never replaces a newer one. */
export function createProjectDirectory(): ProjectDirectory {
  const projects = new Map<string, DirectoryProject>();
  const changes = new EventEmitter().setMaxListeners(0);
  return {
    project: (id) => projects.get(id),
    putProject(project) {
      const known = projects.get(project._id);
      if (known && known.version > project.version) return;
      projects.set(project._id, project);
      changes.emit(project._id);
    },
    async whenProject(id, ms) {
      if (!projects.has(id)) await once(changes, id, { signal: AbortSignal.timeout(ms) }).catch(() => undefined);
      return projects.get(id);
    },
  };
}

/** Fills the directory from the bucket and keeps it up to date; resolves once it has caught up with what was there. */
export async function feedProjects(
  projects: ProjectDirectory,
  messaging: Messaging,
  log: Logger,
): Promise<{ close(): void }> {
  const bucket = await openBucket(messaging, messaging.projectsBucket, 'projects');
  return followBucket(bucket, (entry) => projects.putProject(directoryProject.parse(entry.json())), log);
}
