import {
  accountActivated,
  accountRegistered,
  invitationCreated,
  invitationRevoked,
  sessionStarted,
} from '@atrium/proto-events/events/auth';
import { emailsUnsubscribed } from '@atrium/proto-events/events/notifications';
import { projectDeleted, taskCreated, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import { userCountsChanged, userCreated, userDeleted, userUpdated } from '@atrium/proto-events/events/users';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import type { RetentionRule } from '@atrium/service-kit/postgres/housekeeping';
import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import { retryUntilDone } from '@atrium/service-kit/process/retry';
import type { PostgresService } from '@atrium/service-kit/service/service-definition';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { reconcileDirectory, syncDirectory } from './directory/sync-directory.ts';
import { usersRoutes } from './routes.ts';
import { turnOffEmails } from './users/notices.ts';
import {
  activateInvitedUser,
  createInvitedUser,
  createRegisteredUser,
  deleteInvitedUser,
  recordLastLogin,
} from './users/on-auth-events.ts';
import { deleteProjectTasks, deleteTask, recordTask } from './users/on-task-events.ts';
import { getUserStats } from './users/read-users.ts';

/** One subscription, so that the events of an account are handled in order. */
const accounts = subscription({
  name: 'accounts',
  from: 'all',
  handlers: [
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
  handlers: [
    on(taskCreated, recordTask),
    on(taskUpdated, recordTask),
    on(taskDeleted, deleteTask),
    on(projectDeleted, deleteProjectTasks),
  ],
});

const unsubscribes = subscription({
  name: 'unsubscribes',
  from: 'all',
  handlers: [on(emailsUnsubscribed, turnOffEmails)],
});

export const usersService: PostgresService<Config> = {
  name: 'users',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, directory, log, messaging }) {
    const deps: Deps = { db, directory };
    const stop = new AbortController();
    let syncLoop: PollingLoop | undefined;
    return {
      routes: usersRoutes(deps),
      subscriptions: [accounts, tasks, unsubscribes],
      counts: {
        event: userCountsChanged,
        affectedBy: [userCreated, userUpdated, userDeleted],
        compute: () => getUserStats(deps),
      },
      retentionRules: RETENTION_RULES,
      async onReady() {
        const queuedCount = await retryUntilDone('directory', () => reconcileDirectory(deps), log, stop.signal);
        if (queuedCount > 0) log.info({ queued: queuedCount }, 'Queued missing directory entries');
        if (!stop.signal.aborted) syncLoop = syncDirectory({ db, messaging: await messaging, log });
      },
      async beforeShutdown() {
        stop.abort();
        await syncLoop?.close();
      },
    };
  },
};

/** Streams deliver no event older than 30 days, so after that these rows are not needed to reject late events. */
const RETENTION_RULES: readonly RetentionRule[] = [
  ['task_completions', `deleted and deleted_at < now() - interval '31 days'`],
  ['deleted_projects', `deleted_at < now() - interval '31 days'`],
];
