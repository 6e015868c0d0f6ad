import type { PostgresService } from '@atrium/service-kit/process/service-parts';
import type { Config } from './config.ts';
import { meetingRoutes } from './meetings/routes.ts';
import { createSeriesJobs, migrateJobs } from './series/series-jobs.ts';

/** The service: its routes over its database, and a job that keeps series filled. It consumes no events. */
export const meetingsService: PostgresService<Config> = {
  name: 'meetings',
  migrations: new URL('../migrations', import.meta.url),
  migrateMore: migrateJobs,
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
