import * as contract from '@atrium/proto-events/http/users';
import { handle } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { deleteUser } from './delete-user.ts';
import { getPreferences, updatePreferences } from './preferences.ts';
import { getProfile, getUser, getUserStats, listProjectManagers, listUsers } from './read-users.ts';
import { updateProfile } from './update-profile.ts';
import { updateUser } from './update-user.ts';

export const userRoutes = (deps: Deps) => [
  handle(contract.getProfile, (_request, caller) => getProfile(deps, caller)),
  handle(contract.updateProfile, ({ body }, caller) => updateProfile(deps, caller, body)),
  handle(contract.getPreferences, (_request, caller) => getPreferences(deps, caller)),
  handle(contract.updatePreferences, ({ body }, caller) => updatePreferences(deps, caller, body)),
  handle(contract.listUsers, ({ query }, caller) => listUsers(deps, caller, query)),
  handle(contract.listProjectManagers, ({ query }) => listProjectManagers(deps, query)),
  handle(contract.getUserStats, () => getUserStats(deps)),
  handle(contract.getUser, ({ params }, caller) => getUser(deps, caller, params.id)),
  handle(contract.updateUser, ({ params, body }, caller) => updateUser(deps, caller, { id: params.id, body })),
  handle(contract.deleteUser, ({ params }, caller) => deleteUser(deps, caller, params.id)),
];
