import { passwordResetRequested } from '@atrium/proto-events/events/auth';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { requestContext } from '@atrium/service-kit/http/request-context';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { lockAccountByEmail } from '../accounts/account-repository.ts';
import { isAheadOf } from '../accounts/is-account-active.ts';
import type { Deps } from '../deps.ts';
import { makeReset } from './create-reset-token.ts';
import { countRecentResets, dropIneligibleRequests, MOST_LINKS, takeResetRequest } from './reset-repository.ts';

type ResetDeps = Pick<Deps, 'db' | 'directory' | 'config'>;

/** Woken by a request is the rule; the rest is for requests that a process left when it ended. */
const LOOK_MS = 10_000;

/** Answers requests for a new password for as long as the process lives. */
export function startResetRounds(deps: ResetDeps, log: Logger): PollingLoop {
  return startPollingLoop({
    what: 'requests for new passwords',
    everyMs: LOOK_MS,
    async round() {
      await dropIneligibleRequests(deps.db);
      return answerResetRequest(deps);
    },
    log,
  });
}

/** Looks at one request for a new password, the oldest; answers whether there was one. */
function answerResetRequest(deps: ResetDeps): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const request = await takeResetRequest(tx);
    if (!request) return false;
    await requestContext.run({ requestId: request.request_id }, () => sendReset(deps, tx, request.email));
    return true;
  });
}

/** Nobody else hears of it: strangers, people who have not accepted their invitation, and those who may not sign in. */
async function sendReset({ directory, config }: ResetDeps, tx: Queryable, email: string): Promise<void> {
  const account = await lockAccountByEmail(tx, email);
  if (account?.state !== 'active') return;
  if (!isActive(directory.user(account.id)) && !isAheadOf(directory, account)) return;
  if ((await countRecentResets(tx, account.id)) >= MOST_LINKS) return;
  const { id, sealedUrl, expiresAt } = await makeReset(config, tx, { userId: account.id, madeBy: null });
  await appendEvent(tx, {
    event: passwordResetRequested,
    data: { resetId: id, userId: account.id, email: account.email, expiresAt, sealedUrl },
    aggregate: account.id,
    actorId: null,
  });
}
