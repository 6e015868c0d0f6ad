import * as contract from '@atrium/proto-events/http/auth';
import { handle } from '@atrium/service-kit/handle';
import type { Deps } from '../app.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { invitePerson } from './invite-person.ts';

export const invitationRoutes = (deps: Deps) => [
  handle(contract.invite, ({ body }, caller) => invitePerson(deps, caller, body)),
  handle(contract.acceptInvite, ({ body }) => acceptInvitation(deps, body)),
];
