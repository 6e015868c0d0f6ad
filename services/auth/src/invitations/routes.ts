import * as contract from '@atrium/proto-events/http/invitations';
import { handle } from '@atrium/service-kit/http/handle';
import { idempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { Deps } from '../deps.ts';
import { originOf } from '../sessions/origin.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { checkInvitations } from './check-invitations.ts';
import { invitePerson } from './invite-person.ts';
import { listInvitations } from './list-invitations.ts';
import { resendInvitation } from './resend-invitation.ts';
import { revokeInvitation } from './revoke-invitation.ts';

export const invitationRoutes = (deps: Deps) => [
  handle(contract.invite, ({ body }, caller, { req }) =>
    invitePerson(deps, caller, { body, key: idempotencyKey(req) }),
  ),
  handle(contract.checkInvites, ({ body }) => checkInvitations(deps, body)),
  handle(contract.acceptInvite, ({ body }, _caller, { req }) => acceptInvitation(deps, body, originOf(req))),
  handle(contract.listInvites, ({ query }) => listInvitations(deps, query)),
  handle(contract.resendInvite, ({ params }, caller) => resendInvitation(deps, caller, params.id)),
  handle(contract.revokeInvite, ({ params }, caller) => revokeInvitation(deps, caller, params.id)),
];
