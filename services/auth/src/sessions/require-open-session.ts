import { type Caller, rejectedToken } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { hasSession } from './session-repository.ts';

/**
 * Throws where the caller's session has ended by what is committed: this process does not know what another pod has ended while NATS is
 * away, and what an administrator does for others lasts longer than an access token.
 */
export async function requireOpenSession(tx: Queryable, caller: Caller): Promise<void> {
  if (!(await hasSession(tx, caller.sessionId, caller.userId))) throw rejectedToken(caller);
}
