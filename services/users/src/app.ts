import {
  accountActivated,
  accountRegistered,
  invitationCreated,
  invitationRevoked,
  sessionStarted,
} from '@atrium/proto-events/events/auth';
import { projectDeleted, taskCreated, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import { retryUntilDone } from '@atrium/service-kit/process/retry';
import type { PostgresService } from '@atrium/service-kit/service/service-definition';
import type { Config } from './config.ts';
import { departmentRoutes } from './departments/routes.ts';
import type { Deps } from './deps.ts';
import { repopulateDirectory } from './directory/repopulate-directory.ts';
import { republishDirectory } from './directory/republish-directory.ts';
import { RETENTION_RULES } from './retention.ts';
import { deleteProjectTasks, deleteTask, recordTask } from './tasks/on-task-changed.ts';
import { activateInvitedUser } from './users/on-account-activated.ts';
import { createRegisteredUser } from './users/on-account-registered.ts';
import { createInvitedUser } from './users/on-invitation-created.ts';
import { deleteInvitedUser } from './users/on-invitation-revoked.ts';
import { recordLastLogin } from './users/on-session-started.ts';
import { userRoutes } from './users/routes.ts';

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
    const stopping = new AbortController();
    let repopulating: PollingLoop | undefined;
    return {
      routes: [...userRoutes(deps), ...departmentRoutes(deps)],
      subscriptions: [accounts, tasks],
      retentionRules: RETENTION_RULES,
      async onReady() {
        const queued = await retryUntilDone('directory', () => republishDirectory(deps), log, stopping.signal);
        if (queued > 0) log.info({ queued }, 'Queued missing directory entries');
        if (!stopping.signal.aborted) repopulating = repopulateDirectory({ db, messaging: await messaging, log });
      },
      async close() {
        stopping.abort();
        await repopulating?.close();
      },
    };
  },
};
