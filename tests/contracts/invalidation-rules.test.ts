import { listDepartments, updateDepartmentBody } from '@atrium/proto-events/http/departments';
import { updateMeetingBody } from '@atrium/proto-events/http/meeting-fields';
import { listMyProjects, listProjects, updateProjectBody } from '@atrium/proto-events/http/projects';
import { listMyTasks, listProjectTasks, listTasks, updateTaskBody } from '@atrium/proto-events/http/tasks';
import { listProjectManagers, listUsers, updateProfileBody, updateUserBody } from '@atrium/proto-events/http/users';
import { userSummary } from '@atrium/proto-events/people';
import { DISPLAY_NAME_FIELDS, USER_LIST_FIELDS } from '@atrium/proto-events/topics';
import { type Fields, INVALIDATION_RULES, type InvalidationRule } from '@atrium/web/realtime/invalidation-rules';
import { describe, expect, it } from '@jest/globals';

/** Compares the invalidation rules of browsers with the contracts of writes and responses. */

const namesOf = (...shapes: Record<string, unknown>[]) =>
  [...new Set(shapes.flatMap((shape) => Object.keys(shape)))].filter((name) => name !== 'version');

/** Fields that a service can report as changed: those of its writes, and those that it changes automatically. */
const CHANGED_FIELDS: Partial<Record<keyof typeof INVALIDATION_RULES, string[]>> = {
  user: [
    ...namesOf(updateProfileBody.shape, updateUserBody.shape),
    'invited',
    'joinDate',
    'lastLogin',
    'avatar',
    'email',
  ],
  department: namesOf(updateDepartmentBody.shape),
  project: [...namesOf(updateProjectBody.shape), 'teamMembers'],
  task: [...namesOf(updateTaskBody.shape), 'comments'],
  meeting: [...namesOf(updateMeetingBody.shape), 'decisions', 'closing'],
};

const LISTS = {
  '/users': listUsers,
  '/users/project-managers': listProjectManagers,
  '/departments': listDepartments,
  '/projects': listProjects,
  '/projects/my-projects': listMyProjects,
  '/tasks': listTasks,
  '/tasks/my-tasks': listMyTasks,
  '/tasks/project/:id': listProjectTasks,
};

/** Parameters that do not filter: paging and orders that apply to all lists. `project` and `ids` refer to what never changes. */
const NON_FILTERING_PARAMETERS = ['page', 'limit', 'sort', 'project', 'ids', 'people'];

const itemOf = (list: (typeof LISTS)[keyof typeof LISTS] | undefined) =>
  list && 'shape' in list.response ? list.response.shape.data.element : undefined;

const rows = Object.entries(INVALIDATION_RULES).flatMap(([resource, { rules }]) =>
  rules.map((showing) => ({ resource: resource as keyof typeof INVALIDATION_RULES, showing })),
);
const fieldsOf = (showing: InvalidationRule): Fields[] => {
  switch (showing.kind) {
    case 'list':
      return [showing.shows, showing.order, ...Object.values(showing.filters)];
    case 'counts':
    case 'isSet':
    case 'references':
    case 'allExcept':
    case 'permissions':
      return [showing.fields];
    default:
      return [];
  }
};

describe('the invalidation rules', () => {
  it.each(Object.entries(CHANGED_FIELDS))(
    'of a %s name only fields that can be reported as changed',
    (resource, changed) => {
      const named = rows
        .filter((row) => row.resource === resource)
        .flatMap(({ showing }) => fieldsOf(showing))
        .flatMap((fields) => (fields === 'any' ? [] : fields));
      expect(named.length).toBeGreaterThan(0);
      expect(named.filter((field) => !changed?.includes(field))).toEqual([]);
    },
  );

  it.each(Object.entries(LISTS))('have a filter for each parameter of %s', (path, { query }) => {
    const own = rows.find(({ showing }) => showing.kind === 'list' && showing.path === path)?.showing;
    if (own?.kind !== 'list') throw new Error(`No rule for the list ${path}`);
    const filtered = Object.keys(own.filters).filter((name) => name !== '');
    expect(filtered.sort()).toEqual(
      Object.keys(query.shape)
        .filter((name) => !NON_FILTERING_PARAMETERS.includes(name))
        .sort(),
    );
  });

  it('refetch items by id only where the list returns them in the same shape', () => {
    const itemRules = rows.flatMap(({ showing }) =>
      showing.kind === 'list' && showing.items ? [[showing.path, showing.items]] : [],
    );
    expect(itemRules.length).toBeGreaterThan(3);
    for (const [path = '', items = ''] of itemRules) {
      const [list, itemList] = [path, items].map((name) => LISTS[name as keyof typeof LISTS]);
      expect(Object.keys(itemList?.query.shape ?? {})).toContain('ids');
      expect(itemOf(list)).toBe(itemOf(itemList));
    }
  });

  it('treat as displayed exactly the user fields of the user summary contract', () => {
    const shown = Object.keys(userSummary.shape).filter((name) => CHANGED_FIELDS.user?.includes(name));
    expect(shown.filter((name) => !DISPLAY_NAME_FIELDS.user.includes(name))).toEqual([]);
    expect(DISPLAY_NAME_FIELDS.user.filter((name) => !USER_LIST_FIELDS.includes(name))).toEqual([]);
  });

  it('treat as displayed only project fields that events name', () => {
    expect(DISPLAY_NAME_FIELDS.project.filter((name) => !CHANGED_FIELDS.project?.includes(name))).toEqual([]);
  });

  it('cover every list of these services', () => {
    const listed = rows.flatMap(({ resource, showing }) =>
      showing.kind === 'list' && CHANGED_FIELDS[resource] ? [showing.path] : [],
    );
    expect(listed.sort()).toEqual(Object.keys(LISTS).sort());
  });
});
