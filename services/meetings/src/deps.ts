import type { Directory } from '@atrium/service-kit/directory/directory';
import type { ProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { Coalescer } from '@atrium/service-kit/process/coalesce-computations';
import type { MeetingStats } from './model/meeting-list-repository.ts';

export type Deps = {
  db: Db;
  directory: Directory;
  /** Maximum age of the directory, in milliseconds, where access depends only on it. */
  directoryMaxAgeMs: number;
  projects: ProjectDirectory;
  allowPast: boolean;
  occurrenceGenerator: { wake(): void };
  /** Shared between administrators, who all see the same numbers. */
  coalescers: { counts: Coalescer<number>; stats: Coalescer<MeetingStats> };
};
