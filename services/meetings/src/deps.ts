import type { Directory } from '@atrium/service-kit/directory/directory';
import type { ProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { SeriesJobs } from './series/series-jobs.ts';

/** What the use cases of this service work with. */
export type Deps = { db: Db; directory: Directory; projects: ProjectDirectory; allowPast: boolean; jobs: SeriesJobs };
