import { createCoalescer } from '@atrium/service-kit/process/coalesce-computations';
import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { PostgresService } from '@atrium/service-kit/service/service-definition';
import { revokeFeeds } from './calendar-feed/manage-feed.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { createOccurrenceGenerator } from './meetings/occurrence-generator.ts';
import { startReminders } from './reminders/send-reminders.ts';
import { meetingsRoutes } from './routes.ts';
import { subscriptions } from './subscriptions.ts';

export const meetingsService: PostgresService<Config> = {
  name: 'meetings',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, directory, projects, config, log }) {
    const occurrenceGenerator = createOccurrenceGenerator({ db, log });
    let reminders: PollingLoop | undefined;
    const shutdown = new AbortController();
    const deps: Deps = {
      db,
      directory,
      directoryMaxAgeMs: config.DIRECTORY_MAX_AGE_SECONDS * 1000,
      projects,
      allowPast: config.ALLOW_PAST_MEETINGS,
      occurrenceGenerator,
      coalescers: { counts: createCoalescer(), stats: createCoalescer() },
    };
    return {
      needsProjectDirectory: true,
      routes: meetingsRoutes(deps),
      subscriptions: subscriptions(deps),
      async onReady() {
        occurrenceGenerator.start();
        reminders = startReminders({ db, directory, log });
        revokeFeeds({ db, directory, log }, shutdown.signal);
      },
      async beforeShutdown() {
        shutdown.abort();
        await Promise.all([occurrenceGenerator.stop(), reminders?.close()]);
      },
    };
  },
};
