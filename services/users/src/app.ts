import {
  accountActivated,
  accountRegistered,
  invitationCreated,
  invitationRevoked,
  sessionStarted,
} from '@atrium/proto-events/events/auth';
import { projectDeleted, taskCreated, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import type { RetentionRule } from '@atrium/service-kit/postgres/housekeeping';
import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import { retryUntilDone } from '@atrium/service-kit/process/retry';
import type { PostgresService } from '@atrium/service-kit/service/service-definition';
import { deleteProjectTasks, deleteTask, recordTask } from './completed-tasks.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { queueStaleEntries, repopulateDirectory } from './repopulate-directory.ts';
import { usersRoutes } from './routes.ts';
import {
  activateInvitedUser,
  createInvitedUser,
  createRegisteredUser,
  deleteInvitedUser,
  recordLastLogin,
} from './users/auth-events.ts';

/** One subscription, so that the events of an account are handled in order. */
const accounts = subscription({
  name: 'accounts',
  from: 'all',
  reactions: [
    on(accountRegistered, createRegisteredUser),
    on(invitationCreated, createInvitedUser),
    on(invitationRevoked, deleteInvitedUser),
    on(accountActivated, activateInvitedUser),
    on(sessionStarted, recordLastLogin),
  ],
});

const tasks = subscription({
  name: 'tasks',
  from: 'all',
  reactions: [
    on(taskCreated, recordTask),
    on(taskUpdated, recordTask),
    on(taskDeleted, deleteTask),
    on(projectDeleted, deleteProjectTasks),
  ],
});

export const usersService: PostgresService<Config> = {
  name: 'users',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, directory, log, messaging }) {
    const deps: Deps = { db, directory };
    const stop = new AbortController();
    let repopulationLoop: PollingLoop | undefined;
    return {
      routes: usersRoutes(deps),
      subscriptions: [accounts, tasks],
      retentionRules: RETENTION_RULES,
      async onReady() {
        const queuedCount = await retryUntilDone('directory', () => queueStaleEntries(deps), log, stop.signal);
        if (queuedCount > 0) log.info({ queued: queuedCount }, 'Queued missing directory entries');
        if (!stop.signal.aborted) repopulationLoop = repopulateDirectory({ db, messaging: await messaging, log });
      },
      async close() {
        stop.abort();
        await repopulationLoop?.close();
      },
    };
  },
};

/** Streams deliver no event older than 30 days, so after that these rows are not needed to reject late events. */
const RETENTION_RULES: readonly RetentionRule[] = [
  ['task_completions', `deleted and deleted_at < now() - interval '31 days'`],
  ['deleted_projects', `deleted_at < now() - interval '31 days'`],
];
