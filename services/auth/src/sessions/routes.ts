import * as contract from '@atrium/proto-events/http/auth';
import { handle } from '@atrium/service-kit/handle';
import type { Deps } from '../app.ts';
import { endSession } from './end-session.ts';
import { refreshSession } from './refresh-session.ts';

export const sessionRoutes = (deps: Deps) => [
  handle(contract.refresh, ({ body }) => refreshSession(deps, body.refreshToken)),
  handle(contract.logout, (_request, caller) => endSession(deps, caller)),
];
