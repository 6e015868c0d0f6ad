import { decisionMade } from '@atrium/proto-events/events/meeting-closing';
import { userDeparted } from '@atrium/proto-events/events/users';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import type { RetentionRule } from '@atrium/service-kit/postgres/housekeeping';
import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { PostgresService } from '@atrium/service-kit/service/service-definition';
import type { Config } from './config.ts';
import { createTaskFromDecision } from './decisions.ts';
import type { Deps } from './deps.ts';
import { projectsRoutes } from './routes.ts';
import { syncDirectory } from './sync-directory.ts';
import { removeDepartedUser } from './team.ts';

export const projectsService: PostgresService<Config> = {
  name: 'projects',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, directory, projects, log, messaging }) {
    const deps: Deps = { db, directory };
    const stopping = new AbortController();
    let syncing: PollingLoop | undefined;
    return {
      routes: projectsRoutes(deps),
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

/** A decision can be requested again from the closed meeting: a year, and a month for events. */
const RETENTION_RULES: readonly RetentionRule[] = [['decision_tasks', `updated_at < now() - interval '396 days'`]];
