// Browsers import this module, so it has no schemas.

import type { ResponseOf } from '../endpoint.ts';
import type { listDepartments } from '../http/departments.ts';
import type { User } from '../people.ts';
import { matchesSearch } from '../text/search.ts';
import { ascending, descending, inOrder, sortKey } from './order.ts';
import {
  computed,
  exceptFields,
  isRequested,
  isRequestedId,
  item,
  list,
  type ResponseDefinitions,
  type ResponseRequest,
  requestedFields,
} from './response.ts';

type Department = ResponseOf<typeof listDepartments>['data'][number];

const NO_DEPARTMENT = 'none';

const matchesUser = (user: User, { query }: ResponseRequest) =>
  isRequestedId(query, user._id) &&
  isRequested(query, 'role', user.role) &&
  isRequested(query, 'status', user.status) &&
  isRequested(query, 'department', user.department?._id ?? NO_DEPARTMENT) &&
  matchesSearch(`${user.firstName} ${user.lastName} ${user.email}`, query.get('search') ?? '');

const SORT_KEYS: Readonly<Record<string, (user: User) => string | null>> = {
  name: ({ firstName }) => sortKey(firstName),
  role: ({ role }) => role,
  department: ({ department }) => department && sortKey(department.name),
  status: ({ status }) => status,
  lastLogin: ({ lastLogin }) => lastLogin ?? null,
};
const NAME_KEYS = [
  ({ lastName }: User) => sortKey(lastName),
  ({ firstName }: User) => sortKey(firstName),
  ({ _id }: User) => _id,
];

function compareUsers({ query, viewer }: ResponseRequest) {
  const sortBy = query.get('sortBy') ?? 'lastName';
  // Only administrators see when someone last signed in.
  const isSortable = sortBy !== 'lastLogin' || viewer.role === 'admin';
  const firstKey = isSortable ? SORT_KEYS[sortBy] : undefined;
  const keys = firstKey ? [firstKey, ...NAME_KEYS] : NAME_KEYS;
  const direction = isSortable && query.get('sortOrder') === 'desc' ? descending : ascending;
  return inOrder<User>(...keys.map(direction));
}

const getUserFilters = (request: ResponseRequest) =>
  requestedFields(request, {
    search: ['firstName', 'lastName', 'email'],
    role: ['role'],
    status: ['status'],
    department: ['department'],
  });

const NAME_FIELDS = ['firstName', 'lastName'];

const byName = inOrder<User>(...NAME_KEYS.map(ascending));

/** Only administrators see when someone last signed in, so that events lack it. */
const getPartialFields = ({ viewer }: ResponseRequest) => (viewer.role === 'admin' ? ['lastLogin'] : []);

const ownSettings = computed(({ viewer }) => [`user:${viewer.userId}`], exceptFields('tasksCompleted'));

export const USER_RESPONSES: ResponseDefinitions = {
  '/users': list<User>({
    resource: 'user',
    // A department that is renamed moves its users.
    tags: ({ query }) => ['users', 'people', ...(query.get('sortBy') === 'department' ? ['departments' as const] : [])],
    matches: matchesUser,
    compare: compareUsers,
    filterFields: getUserFilters,
    orderFields: ({ query }) => [...NAME_FIELDS, query.get('sortBy') ?? 'lastName'],
    partialFields: getPartialFields,
  }),
  '/users/project-managers': list<User>({
    resource: 'user',
    tags: () => ['users', 'people'],
    matches: (user, request) => user.role !== 'member' && user.status === 'active' && matchesUser(user, request),
    compare: () => byName,
    filterFields: (request) => ['role', 'status', ...getUserFilters(request)],
    orderFields: () => NAME_FIELDS,
  }),
  '/users/stats/overview': item({ resource: 'user-counts', tags: () => ['user-counts'] }),
  '/users/stats/history': computed(() => ['user-counts']),
  '/users/:id': item({
    resource: 'user',
    tags: ({ params }) => [`user:${params.id}`, 'people'],
    partialFields: getPartialFields,
  }),
  '/users/profile': item({
    resource: 'user',
    tags: ({ viewer }) => [`user:${viewer.userId}`, 'people'],
    partialFields: () => ['lastLogin'],
  }),
  // These contain the version of the user.
  '/users/profile/preferences': ownSettings,
  '/users/profile/notices': ownSettings,
  '/users/profile/notices/levels': ownSettings,
  '/departments': list<Department>({
    resource: 'department',
    tags: () => ['departments'],
    matches: ({ name }, { query }) => matchesSearch(name, query.get('search') ?? ''),
    compare: () =>
      inOrder<Department>(
        ascending(({ name }) => sortKey(name)),
        ascending(({ _id }) => _id),
      ),
    filterFields: (request) => requestedFields(request, { search: ['name'] }),
    orderFields: () => ['name'],
  }),
  '/departments/stats': computed(() => ['departments']),
  '/departments/:id': item({ resource: 'department', tags: () => ['departments'] }),
};
