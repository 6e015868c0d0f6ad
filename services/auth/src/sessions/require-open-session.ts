import { type Caller, rejectedToken } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { hasSession } from './session-repository.ts';

/**
 * Reads committed state: during a NATS outage this process does not know of sessions ended by other pods, and administrative changes
 * outlast an access token.
 */
export async function requireOpenSession(tx: Queryable, caller: Caller): Promise<void> {
  if (!(await hasSession(tx, caller.sessionId, caller.userId))) throw rejectedToken(caller);
}
