import * as contract from '@atrium/proto-events/http/auth';
import { handle } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { endSession } from './end-session.ts';
import { endUserSessions } from './end-user-sessions.ts';
import { listSessions } from './list-sessions.ts';
import { originOf } from './origin.ts';
import { refreshSession } from './refresh-session.ts';
import { revokeSession } from './revoke-session.ts';
import { signOutEverywhere } from './sign-out-everywhere.ts';

export const sessionRoutes = (deps: Deps) => [
  handle(contract.refresh, ({ body }, _caller, { req }) => refreshSession(deps, body.refreshToken, originOf(req))),
  handle(contract.logout, (_request, caller) => endSession(deps, caller)),
  handle(contract.signOutEverywhere, (_request, caller) => signOutEverywhere(deps, caller)),
  handle(contract.endUserSessions, ({ params }, caller) => endUserSessions(deps, caller, params.id)),
  handle(contract.listSessions, ({ query }, caller) => listSessions(deps, caller, query)),
  handle(contract.revokeSession, ({ params }, caller) => revokeSession(deps, caller, params.id)),
];
