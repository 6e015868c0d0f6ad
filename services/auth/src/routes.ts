import * as auth from '@atrium/proto-events/http/auth';
import * as invitations from '@atrium/proto-events/http/invitations';
import * as passwords from '@atrium/proto-events/http/passwords';
import { handle } from '@atrium/service-kit/http/handle';
import { idempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { Deps } from './deps.ts';
import { acceptInvitation } from './invitations/accept-invitation.ts';
import { inviteUser, resendInvitation, revokeInvitation } from './invitations/invite.ts';
import { checkInvitations, listInvitations } from './invitations/list-invitations.ts';
import { changePassword } from './passwords/change-password.ts';
import { createResetLink } from './passwords/create-reset-link.ts';
import { resetPassword } from './passwords/reset-password.ts';
import { requestReset } from './passwords/reset-requests.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { refreshSession } from './sessions/refresh-session.ts';
import { clientOf } from './sessions/session-client.ts';
import { endSession, endUserSessions, revokeSession, signOutEverywhere } from './sessions/sign-out.ts';
import { login } from './sign-in/login.ts';
import { getSetup, register } from './sign-in/register.ts';

export const authRoutes = (deps: Deps) => [
  handle(auth.getSetup, () => getSetup(deps)),
  handle(auth.login, ({ body }, _caller, { req }) => login(deps, { body, client: clientOf(req) })),
  handle(auth.register, ({ body }, _caller, { req }) => register(deps, body, clientOf(req))),
  handle(auth.refresh, ({ body }, _caller, { req }) => refreshSession(deps, body.refreshToken, clientOf(req))),
  handle(auth.logout, (_request, caller) => endSession(deps, caller)),
  handle(auth.signOutEverywhere, (_request, caller) => signOutEverywhere(deps, caller)),
  handle(auth.endUserSessions, ({ params }, caller) => endUserSessions(deps, caller, params.id)),
  handle(auth.listSessions, ({ query }, caller) => listSessions(deps, caller, query)),
  handle(auth.revokeSession, ({ params }, caller) => revokeSession(deps, caller, params.id)),
  handle(passwords.forgotPassword, ({ body }) => requestReset(deps, body.email)),
  handle(passwords.resetPassword, ({ body }, _caller, { req }) => resetPassword(deps, { body, client: clientOf(req) })),
  handle(passwords.changePassword, ({ body }, caller, { req }) =>
    changePassword(deps, caller, { body, client: clientOf(req) }),
  ),
  handle(passwords.createResetLink, ({ params }, caller) => createResetLink(deps, caller, params.id)),
  handle(invitations.invite, ({ body }, caller, { req }) =>
    inviteUser(deps, caller, { body, key: idempotencyKey(req) }),
  ),
  handle(invitations.checkInvites, ({ body }) => checkInvitations(deps, body)),
  handle(invitations.acceptInvite, ({ body }, _caller, { req }) => acceptInvitation(deps, body, clientOf(req))),
  handle(invitations.listInvites, ({ query }) => listInvitations(deps, query)),
  handle(invitations.resendInvite, ({ params }, caller) => resendInvitation(deps, caller, params.id)),
  handle(invitations.revokeInvite, ({ params }, caller) => revokeInvitation(deps, caller, params.id)),
];
