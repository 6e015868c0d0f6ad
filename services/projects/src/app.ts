import { decisionMade } from '@atrium/proto-events/events/meeting-closing';
import { taskReplied } from '@atrium/proto-events/events/notifications';
import * as events from '@atrium/proto-events/events/projects';
import { userDeactivated } from '@atrium/proto-events/events/users';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import type { RetentionRule } from '@atrium/service-kit/postgres/housekeeping';
import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { PostgresService } from '@atrium/service-kit/service/service-definition';
import type { Config } from './config.ts';
import { createTaskFromDecision } from './decisions/on-decision-made.ts';
import type { Deps } from './deps.ts';
import { syncDirectory } from './directory/sync-directory.ts';
import { recordSnapshots } from './history/record-snapshots.ts';
import { listCurrentDates } from './projects/local-date.ts';
import { countProjects } from './projects/read-projects.ts';
import { projectsRoutes } from './routes.ts';
import { commentByEmail } from './tasks/on-task-replied.ts';
import { startTaskReminders } from './tasks/remind-of-due-tasks.ts';
import { removeDeactivatedUser } from './team/on-user-deactivated.ts';

export const projectsService: PostgresService<Config> = {
  name: 'projects',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, directory, projects, log, messaging }) {
    const deps: Deps = { db, directory, projects };
    const stop = new AbortController();
    let syncLoop: PollingLoop | undefined;
    let snapshotLoop: PollingLoop | undefined;
    let reminderLoop: PollingLoop | undefined;
    return {
      routes: projectsRoutes(deps),
      // These read from the first event, because it may be older than this pod.
      subscriptions: [
        subscription({ name: 'decisions', from: 'all', handlers: [on(decisionMade, createTaskFromDecision(deps))] }),
        subscription({ name: 'replies', from: 'all', handlers: [on(taskReplied, commentByEmail(directory))] }),
        subscription({ name: 'departures', from: 'all', handlers: [on(userDeactivated, removeDeactivatedUser(deps))] }),
      ],
      counts: {
        event: events.projectCountsChanged,
        affectedBy: [events.projectCreated, events.projectUpdated, events.projectDeleted],
        compute: () => countProjects(db, listCurrentDates()),
      },
      needsProjectDirectory: true,
      retentionRules: RETENTION_RULES,
      async onReady() {
        snapshotLoop = recordSnapshots(db, log);
        reminderLoop = startTaskReminders({ db, directory, log });
        syncLoop = syncDirectory({ db, projects, messaging: await messaging, log, signal: stop.signal });
      },
      async beforeShutdown() {
        stop.abort();
        await Promise.all([syncLoop?.close(), snapshotLoop?.close(), reminderLoop?.close()]);
      },
    };
  },
};

export const RETENTION_RULES: readonly RetentionRule[] = [
  // A closed meeting can request a decision again for a year, and its events are kept for a month.
  ['decision_tasks', `updated_at < now() - interval '396 days'`],
  ['project_snapshots', 'not exists (select from projects where id = project_id)'],
];
