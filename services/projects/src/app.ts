import { decisionMade } from '@atrium/proto-events/events/meeting-closing';
import { userDeparted } from '@atrium/proto-events/events/users';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { PostgresService } from '@atrium/service-kit/service/service-definition';
import type { Config } from './config.ts';
import { createTaskFromDecision } from './decisions/on-decision-made.ts';
import type { Deps } from './deps.ts';
import { syncDirectory } from './directory/sync-directory.ts';
import { projectRoutes } from './projects/routes.ts';
import { RETENTION_RULES } from './retention.ts';
import { taskRoutes } from './tasks/routes.ts';
import { removeDepartedUser } from './team/on-user-departed.ts';
import { teamRoutes } from './team/routes.ts';

export const projectsService: PostgresService<Config> = {
  name: 'projects',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, directory, projects, log, messaging }) {
    const deps: Deps = { db, directory };
    const stopping = new AbortController();
    let syncing: PollingLoop | undefined;
    return {
      routes: [...projectRoutes(deps), ...teamRoutes(deps), ...taskRoutes(deps)],
      // From the first event on, since decisions may be older than this pod.
      subscriptions: [
        subscription({ name: 'decisions', from: 'all', reactions: [on(decisionMade, createTaskFromDecision(deps))] }),
        subscription({ name: 'departures', from: 'all', reactions: [on(userDeparted, removeDepartedUser(deps))] }),
      ],
      projects: true,
      retentionRules: RETENTION_RULES,
      async onReady() {
        syncing = syncDirectory({ db, projects, messaging: await messaging, log, signal: stopping.signal });
      },
      async close() {
        stopping.abort();
        await syncing?.close();
      },
    };
  },
};
