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
import type { PostgresService } from '@atrium/service-kit/process/service-definition';
import type { Config } from './config.ts';
import { departmentRoutes } from './departments/routes.ts';
import type { Deps } from './deps.ts';
import { OUTDATED } from './outdated.ts';
import { refillDirectory } from './repopulate-directory.ts';
import { republishDirectory } from './republish-directory.ts';
import { followTask, forgetTask, forgetTasksOfProject } from './tasks/on-task-changed.ts';
import { activateInvitedUser } from './users/on-account-activated.ts';
import { createRegisteredUser } from './users/on-account-registered.ts';
import { createInvitedUser } from './users/on-invitation-created.ts';
import { deleteInvitedUser } from './users/on-invitation-revoked.ts';
import { recordLastLogin } from './users/on-session-started.ts';
import { userRoutes } from './users/routes.ts';

/** One subscription for all of them: what happens to an account happens in order. */
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
    on(taskCreated, followTask),
    on(taskUpdated, followTask),
    on(taskDeleted, forgetTask),
    on(projectDeleted, forgetTasksOfProject),
  ],
});

/** The service: profiles, roles and departments, and the directory that every process keeps of them. */
export const usersService: PostgresService<Config> = {
  name: 'users',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, directory, log, messaging }) {
    const deps: Deps = { db, directory };
    const stopping = new AbortController();
    let refilling: PollingLoop | undefined;
    return {
      routes: [...userRoutes(deps), ...departmentRoutes(deps)],
      subscriptions: [accounts, tasks],
      outdated: OUTDATED,
      async onReady() {
        const queued = await retryUntilDone('directory', () => republishDirectory(deps), log, stopping.signal);
        if (queued > 0) log.info({ queued }, 'put into the directory what it lacked');
        if (!stopping.signal.aborted) refilling = refillDirectory({ db, messaging: await messaging, log });
      },
      async close() {
        stopping.abort();
        await refilling?.close();
      },
    };
  },
};
