import * as departments from '@atrium/proto-events/http/departments';
import * as noticeLevels from '@atrium/proto-events/http/notices/levels';
import * as notices from '@atrium/proto-events/http/notices/settings';
import { searchUsers as searchContract } from '@atrium/proto-events/http/search/users';
import * as users from '@atrium/proto-events/http/users';
import { closeSignal } from '@atrium/service-kit/http/close-signal';
import { handle } from '@atrium/service-kit/http/handle';
import { idempotencyKey } from '@atrium/service-kit/http/idempotency';
import { getDepartment, getDepartmentStats, listDepartments } from './departments/read-departments.ts';
import { createDepartment, deleteDepartment, updateDepartment } from './departments/write-departments.ts';
import type { Deps } from './deps.ts';
import { deleteUser } from './users/delete-user.ts';
import { listNoticeLevels, setNoticeLevel } from './users/notice-levels.ts';
import { getNotices, updateNotices } from './users/notices.ts';
import { getPreferences, updatePreferences } from './users/preferences.ts';
import { getUserHistory } from './users/read-user-history.ts';
import { getProfile, getUser, getUserStats, listProjectManagers, listUsers } from './users/read-users.ts';
import { searchUsers } from './users/search-users.ts';
import { updateProfile } from './users/update-profile.ts';
import { updateUser } from './users/update-user.ts';

export const usersRoutes = (deps: Deps) => [
  handle(users.getProfile, (_request, caller) => getProfile(deps, caller)),
  handle(users.updateProfile, ({ body }, caller) => updateProfile(deps, caller, body)),
  handle(users.getPreferences, (_request, caller) => getPreferences(deps, caller)),
  handle(users.updatePreferences, ({ body }, caller) => updatePreferences(deps, caller, body)),
  handle(notices.getNotices, (_request, caller) => getNotices(deps, caller)),
  handle(notices.updateNotices, ({ body }, caller) => updateNotices(deps, caller, body)),
  handle(noticeLevels.listNoticeLevels, (_request, caller) => listNoticeLevels(deps, caller)),
  handle(noticeLevels.setNoticeLevel, ({ params, body }, caller) =>
    setNoticeLevel(deps, caller, { ...params, ...body }),
  ),
  handle(users.listUsers, ({ query }, caller) => listUsers(deps, caller, query)),
  handle(users.listProjectManagers, ({ query }) => listProjectManagers(deps, query)),
  handle(users.getUserStats, () => getUserStats(deps)),
  handle(users.getUserHistory, ({ query }) => getUserHistory(deps, query)),
  handle(searchContract, ({ query }, _caller, { res }) => searchUsers(deps, { ...query, signal: closeSignal(res) })),
  handle(users.getUser, ({ params }, caller) => getUser(deps, caller, params.id)),
  handle(users.updateUser, ({ params, body }, caller) => updateUser(deps, caller, { id: params.id, body })),
  handle(users.deleteUser, ({ params }, caller) => deleteUser(deps, caller, params.id)),
  handle(departments.listDepartments, ({ query }) => listDepartments(deps, query)),
  handle(departments.getDepartmentStats, () => getDepartmentStats(deps)),
  handle(departments.createDepartment, ({ body }, caller, { req }) =>
    createDepartment(deps, caller, { body, key: idempotencyKey(req) }),
  ),
  handle(departments.getDepartment, ({ params }) => getDepartment(deps, params.id)),
  handle(departments.updateDepartment, ({ params, body }, caller) =>
    updateDepartment(deps, caller, { id: params.id, body }),
  ),
  handle(departments.deleteDepartment, ({ params }, caller) => deleteDepartment(deps, caller, params.id)),
];
