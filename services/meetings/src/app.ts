import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import { createSharedFigures } from '@atrium/service-kit/process/shared-figures';
import type { PostgresService } from '@atrium/service-kit/service/service-definition';
import { revokeFeeds } from './calendar-feed/manage-feed.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { createSeriesFiller } from './meetings/series-filler.ts';
import { startReminders } from './reminders/send-reminders.ts';
import { routes } from './routes.ts';
import { subscriptions } from './subscriptions.ts';

export const meetingsService: PostgresService<Config> = {
  name: 'meetings',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, directory, projects, config, log }) {
    const seriesFiller = createSeriesFiller({ db, log });
    let reminders: PollingLoop | undefined;
    const shutdown = new AbortController();
    const deps: Deps = {
      db,
      directory,
      directoryMaxAgeMs: config.DIRECTORY_MAX_AGE_SECONDS * 1000,
      projects,
      allowPast: config.ALLOW_PAST_MEETINGS,
      seriesFiller,
      figures: { counts: createSharedFigures(), stats: createSharedFigures() },
    };
    return {
      projects: true,
      routes: routes(deps),
      subscriptions: subscriptions(deps),
      async onReady() {
        seriesFiller.start();
        reminders = startReminders({ db, directory, log });
        revokeFeeds({ db, directory, log }, shutdown.signal);
      },
      async close() {
        shutdown.abort();
        await Promise.all([seriesFiller.stop(), reminders?.close()]);
      },
    };
  },
};
