import { passwordResetRequested } from '@atrium/proto-events/events/auth';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { requestContext } from '@atrium/service-kit/observability/request-context';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { lockAccountByEmail } from '../accounts/account-repository.ts';
import { isDirectoryBehind } from '../accounts/account-status.ts';
import type { Deps } from '../deps.ts';
import {
  countRecentResets,
  createReset,
  dropIneligibleRequests,
  insertResetRequest,
  MAX_LINKS_PER_HOUR,
  takeResetRequest,
} from './reset-repository.ts';

/**
 * Only stores the request, so that the response is the same and equally fast for any email. `processResetRequest` looks
 * up the account later, even if this process has stopped.
 */
export async function requestReset({ db, wakeResetEmailLoop }: Deps, email: string): Promise<void> {
  await insertResetRequest(db, email, requestContext.getStore()?.requestId ?? newId());
  wakeResetEmailLoop();
}

type ResetDeps = Pick<Deps, 'db' | 'directory' | 'config'>;

/** Requests wake the loop; polling finds those that a stopped process did not handle. */
const POLL_INTERVAL_MS = 10_000;

export function startResetLoop(deps: ResetDeps, log: Logger): PollingLoop {
  return startPollingLoop({
    name: 'password reset requests',
    intervalMs: POLL_INTERVAL_MS,
    async round() {
      await dropIneligibleRequests(deps.db);
      return processResetRequest(deps);
    },
    log,
  });
}

function processResetRequest(deps: ResetDeps): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const request = await takeResetRequest(tx);
    if (!request) return false;
    await requestContext.run({ requestId: request.request_id }, () => sendReset(deps, tx, request.email));
    return true;
  });
}

/** Sends nothing to unknown emails, pending invitations, or users who cannot sign in. */
async function sendReset({ directory, config }: ResetDeps, tx: Queryable, email: string): Promise<void> {
  const account = await lockAccountByEmail(tx, email);
  if (account?.state !== 'active') return;
  if (!isActive(directory.user(account.id)) && !isDirectoryBehind(directory, account)) return;
  if ((await countRecentResets(tx, account.id)) >= MAX_LINKS_PER_HOUR) return;
  const { id, sealedUrl, expiresAt } = await createReset(config, tx, { userId: account.id, createdBy: null });
  await appendEvent(tx, {
    event: passwordResetRequested,
    data: { resetId: id, userId: account.id, email: account.email, expiresAt, sealedUrl },
    aggregate: account.id,
    actorId: null,
  });
}
