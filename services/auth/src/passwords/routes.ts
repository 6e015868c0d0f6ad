import * as contract from '@atrium/proto-events/http/passwords';
import { handle } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { originOf } from '../sessions/origin.ts';
import { changePassword } from './change-password.ts';
import { createResetLink } from './create-reset-link.ts';
import { requestReset } from './request-reset.ts';
import { resetPassword } from './reset-password.ts';

export const passwordRoutes = (deps: Deps) => [
  handle(contract.forgotPassword, ({ body }) => requestReset(deps, body.email)),
  handle(contract.resetPassword, ({ body }, _caller, { req }) => resetPassword(deps, { body, origin: originOf(req) })),
  handle(contract.changePassword, ({ body }, caller, { req }) =>
    changePassword(deps, caller, { body, origin: originOf(req) }),
  ),
  handle(contract.createResetLink, ({ params }, caller) => createResetLink(deps, caller, params.id)),
];
