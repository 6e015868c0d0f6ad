import type { Directory } from '@atrium/service-kit/directory';
import type { Db } from '@atrium/service-kit/postgres';
import type { ProjectDirectory } from '@atrium/service-kit/project-directory';
import type { PostgresService } from '@atrium/service-kit/service-parts';
import type { Config } from './config.ts';
import { meetingRoutes } from './meetings/routes.ts';
import { createSeriesJobs, type SeriesJobs } from './series/series-jobs.ts';

/** What the use cases of this service work with. */
export type Deps = { db: Db; directory: Directory; projects: ProjectDirectory; allowPast: boolean; jobs: SeriesJobs };

/** The service: its routes over its database, and a job that keeps series filled. It consumes no events. */
export const meetingsService: PostgresService<Config> = {
  name: 'meetings',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, directory, projects, config, log }) {
    const jobs = createSeriesJobs({ db, directory, log });
    return {
      projects: true,
      routes: meetingRoutes({ db, directory, projects, allowPast: config.ALLOW_PAST_MEETINGS, jobs }),
      onReady: async () => jobs.start(),
      close: jobs.stop,
    };
  },
};
