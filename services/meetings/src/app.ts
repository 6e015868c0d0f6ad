import { userDeparted } from '@atrium/proto-events/events/users';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import { createSharedFigures } from '@atrium/service-kit/process/shared-figures';
import type { PostgresService } from '@atrium/service-kit/service/service-definition';
import { revokeFeedOnAccountSecured } from './calendar-feed/on-account-secured.ts';
import { revokeFeeds } from './calendar-feed/revoke-feeds.ts';
import { feedRoutes } from './calendar-feed/routes.ts';
import { closingRoutes } from './closing/routes.ts';
import { closingSubscriptions } from './closing/subscriptions.ts';
import type { Config } from './config.ts';
import { removeDepartedGuest } from './departures/on-user-departed.ts';
import type { Deps } from './deps.ts';
import { meetingRoutes } from './meetings/routes.ts';
import { planningRoutes } from './planning/routes.ts';
import { startReminders } from './reminders/reminder-loop.ts';
import { replyHandlers } from './replies/on-meeting-replied.ts';
import { roomRoutes } from './rooms/routes.ts';
import { createSeriesFiller } from './series/series-filler.ts';

export const meetingsService: PostgresService<Config> = {
  name: 'meetings',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, directory, projects, config, log }) {
    const seriesFiller = createSeriesFiller({ db, log });
    let reminders: PollingLoop | undefined;
    const stopping = new AbortController();
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
      routes: [
        ...meetingRoutes(deps),
        ...planningRoutes(deps),
        ...roomRoutes(deps),
        ...feedRoutes(deps),
        ...closingRoutes(deps),
      ],
      subscriptions: [
        ...closingSubscriptions,
        subscription({ name: 'replies', from: 'all', reactions: replyHandlers }),
        subscription({ name: 'departures', from: 'all', reactions: [on(userDeparted, removeDepartedGuest(deps))] }),
        subscription({ name: 'account-security', from: 'all', reactions: [revokeFeedOnAccountSecured] }),
      ],
      async onReady() {
        seriesFiller.start();
        reminders = startReminders({ db, directory, log });
        revokeFeeds({ db, directory, log }, stopping.signal);
      },
      async close() {
        stopping.abort();
        await Promise.all([seriesFiller.stop(), reminders?.close()]);
      },
    };
  },
};
