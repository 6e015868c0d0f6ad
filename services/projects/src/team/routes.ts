import * as contract from '@atrium/proto-events/http/projects';
import { handle } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { addTeamMember, removeTeamMember } from './change-team.ts';

export const teamRoutes = (deps: Deps) => [
  handle(contract.addTeamMember, ({ params, body }, caller) =>
    addTeamMember(deps, caller, { id: params.id, userId: body.userId }),
  ),
  handle(contract.removeTeamMember, ({ params, body }, caller) =>
    removeTeamMember(deps, caller, { id: params.id, userId: body.userId }),
  ),
  handle(contract.removeTeamMemberByPath, ({ params }, caller) => removeTeamMember(deps, caller, params)),
];
