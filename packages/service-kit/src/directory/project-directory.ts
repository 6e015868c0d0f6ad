import { EventEmitter, once } from 'node:events';
import { type DirectoryProject, directoryProject } from '@atrium/proto-events/project-directory';
import type { KvEntry } from '@nats-io/kv';
import { invalidField, unavailable } from '../errors/app-error.ts';
import type { Messaging } from '../messaging/messaging.ts';
import type { Logger } from '../observability/logger.ts';
import { isRecentId } from '../process/new-id.ts';
import { COMPLETE, followBucket } from './bucket.ts';

/** Projects in memory, published by the projects service, for services with `needsProjectDirectory`. */
export type ProjectDirectory = {
  project(id: string): DirectoryProject | undefined;
  /**
   * Waits at most `ms` milliseconds for a project that may not have arrived yet: a recent one, or any until the
   * directory is complete.
   */
  whenProject(id: string, ms: number): Promise<DirectoryProject | undefined>;
  projects(): IterableIterator<DirectoryProject>;
  size(): number;
  onProject(listener: (project: DirectoryProject) => void): void;
  putProject(project: DirectoryProject): void;
  /** Until the directory is complete, an unknown project may exist. */
  isComplete(): boolean;
  markComplete(): void;
  /** Called when the bucket was recreated empty: its owner must refill it, and the content of the directory remains. */
  onEmptied(listener: () => void): void;
  notifyEmptied(): void;
};

/** An older version never replaces a newer one. */
export function createProjectDirectory(): ProjectDirectory {
  const projects = new Map<string, DirectoryProject>();
  const changes = new EventEmitter().setMaxListeners(0);
  let isComplete = false;
  return {
    isComplete: () => isComplete,
    markComplete() {
      isComplete = true;
    },
    onEmptied: (listener) => void changes.on('emptied', listener),
    notifyEmptied: () => void changes.emit('emptied'),
    projects: () => projects.values(),
    size: () => projects.size,
    project: (id) => projects.get(id),
    onProject: (listener) => void changes.on('project', listener),
    putProject(project) {
      const existing = projects.get(project._id);
      if (existing && existing.version > project.version) return;
      projects.set(project._id, project);
      changes.emit('project', project);
      changes.emit(project._id);
    },
    async whenProject(id, ms) {
      const canArrive = !projects.has(id) && (!isComplete || isRecentId(id));
      if (canArrive) await once(changes, id, { signal: AbortSignal.timeout(ms) }).catch(() => undefined);
      return projects.get(id);
    },
  };
}

/** Keeps the directory up to date with its bucket. Resolves once it has caught up. */
export async function followProjects(
  projects: ProjectDirectory,
  messaging: Messaging,
  log: Logger,
): Promise<{ close(): Promise<void> }> {
  const put = (entry: KvEntry) => {
    if (entry.key === COMPLETE) projects.markComplete();
    else projects.putProject(directoryProject.parse(entry.json()));
  };
  return followBucket({
    messaging,
    bucket: messaging.projectsBucket,
    put,
    onEmptied: projects.notifyEmptied,
    log,
  });
}

/**
 * Throws `validation_failed` if the project does not exist, and `unavailable` while that is unknown: during an upgrade,
 * a service may start before the directory is filled.
 */
export function requireProject(projects: ProjectDirectory, id: string): DirectoryProject {
  const project = projects.project(id);
  if (project && !project.deleted) return project;
  if (!project && !projects.isComplete())
    throw unavailable('Projects are not available yet. Please try again in a moment.');
  throw invalidField('project', 'Project not found');
}
