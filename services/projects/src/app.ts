import { decisionMade } from '@atrium/proto-events/events/meeting-closing';
import { userDeparted } from '@atrium/proto-events/events/users';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { PostgresService } from '@atrium/service-kit/process/service-definition';
import type { Config } from './config.ts';
import { makeTaskOfDecision } from './decisions/on-decision-made.ts';
import type { Deps } from './deps.ts';
import { OUTDATED } from './outdated.ts';
import { removeDepartedUser } from './projects/on-user-departed.ts';
import { projectRoutes } from './projects/routes.ts';
import { keepDirectory } from './sync-directory.ts';
import { taskRoutes } from './tasks/routes.ts';

/** The service: its routes over its database, and tasks of what meetings decided. */
export const projectsService: PostgresService<Config> = {
  name: 'projects',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, directory, projects, log, messaging }) {
    const deps: Deps = { db, directory };
    const stopping = new AbortController();
    let keeping: PollingLoop | undefined;
    return {
      routes: [...projectRoutes(deps), ...taskRoutes(deps)],
      // From the first decision on: one that was made before this pod is as good as any.
      subscriptions: [
        subscription({ name: 'decisions', from: 'all', reactions: [on(decisionMade, makeTaskOfDecision(deps))] }),
        subscription({ name: 'departures', from: 'all', reactions: [on(userDeparted, removeDepartedUser(deps))] }),
      ],
      projects: true,
      outdated: OUTDATED,
      async onReady() {
        keeping = keepDirectory({ db, projects, messaging: await messaging, log, signal: stopping.signal });
      },
      async close() {
        stopping.abort();
        await keeping?.close();
      },
    };
  },
};
