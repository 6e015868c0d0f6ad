import { listDepartments, updateDepartmentBody } from '@atrium/proto-events/http/departments';
import { updateMeetingBody } from '@atrium/proto-events/http/meeting-fields';
import { listMyProjects, listProjects, updateProjectBody } from '@atrium/proto-events/http/projects';
import { listMyTasks, listProjectTasks, listTasks, updateTaskBody } from '@atrium/proto-events/http/tasks';
import { listProjectManagers, listUsers, updateProfileBody, updateUserBody } from '@atrium/proto-events/http/users';
import { userSummary } from '@atrium/proto-events/people';
import { DISPLAY_NAME_FIELDS, USER_LIST_FIELDS } from '@atrium/proto-events/topics';
import { type Fields, INVALIDATION_RULES, type InvalidationRule } from '@atrium/web/realtime/invalidation-rules';
import { describe, expect, it } from '@jest/globals';

/** Which answers a browser asks for again after a change, held against the contracts of what changes and of what answers. */

const namesOf = (...shapes: Record<string, unknown>[]) =>
  [...new Set(shapes.flatMap((shape) => Object.keys(shape)))].filter((name) => name !== 'version');

/** What a service can name as changed: what its writes take, and what it changes by itself. */
const CHANGED: Partial<Record<keyof typeof INVALIDATION_RULES, string[]>> = {
  user: [
    ...namesOf(updateProfileBody.shape, updateUserBody.shape),
    'invited',
    'joinDate',
    'lastLogin',
    'avatar',
    'email',
  ],
  department: namesOf(updateDepartmentBody.shape),
  project: [...namesOf(updateProjectBody.shape), 'teamMembers', 'manager'],
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

/** Parameters that choose nothing: which part is read, and in which of the orders that the table takes for all. `project` never changes, nor what is asked for by its id. */
const CHOOSES_NOTHING = ['page', 'limit', 'sort', 'project', 'ids', 'people'];

const itemOf = (list: (typeof LISTS)[keyof typeof LISTS] | undefined) =>
  list && 'shape' in list.response ? list.response.shape.data.element : undefined;

const rows = Object.entries(INVALIDATION_RULES).flatMap(([resource, { showings }]) =>
  showings.map((showing) => ({ resource: resource as keyof typeof INVALIDATION_RULES, showing })),
);
const fieldsOf = (showing: InvalidationRule): Fields[] => {
  switch (showing.kind) {
    case 'list':
      return [showing.shows, showing.order, ...Object.values(showing.filters)];
    case 'counts':
    case 'whether':
    case 'names':
      return [showing.of];
    case 'most':
      return [showing.but];
    case 'decides':
      return [showing.by];
    default:
      return [];
  }
};

describe('the table of what shows a change', () => {
  it.each(Object.entries(CHANGED))('of a %s names fields alone that can be told as changed', (resource, changed) => {
    const named = rows
      .filter((row) => row.resource === resource)
      .flatMap(({ showing }) => fieldsOf(showing))
      .flatMap((fields) => (fields === 'any' ? [] : fields));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((field) => !changed?.includes(field))).toEqual([]);
  });

  it.each(Object.entries(LISTS))('knows what each parameter of %s chooses', (path, { query }) => {
    const own = rows.find(({ showing }) => showing.kind === 'list' && showing.path === path)?.showing;
    if (own?.kind !== 'list') throw new Error(`the table has no list at ${path}`);
    const chosen = Object.keys(own.filters).filter((name) => name !== '');
    expect(chosen.sort()).toEqual(
      Object.keys(query.shape)
        .filter((name) => !CHOOSES_NOTHING.includes(name))
        .sort(),
    );
  });

  it('asks for items by their ids where the list answers them, in the shape in which it has them', () => {
    const answering = rows.flatMap(({ showing }) =>
      showing.kind === 'list' && showing.items ? [[showing.path, showing.items]] : [],
    );
    expect(answering.length).toBeGreaterThan(3);
    for (const [path = '', items = ''] of answering) {
      const [list, whole] = [path, items].map((name) => LISTS[name as keyof typeof LISTS]);
      expect(Object.keys(whole?.query.shape ?? {})).toContain('ids');
      expect(itemOf(list)).toBe(itemOf(whole));
    }
  });

  it('takes for all that lists show of people what the contract of a person beside something has', () => {
    const shown = Object.keys(userSummary.shape).filter((name) => CHANGED.user?.includes(name));
    expect(shown.filter((name) => !DISPLAY_NAME_FIELDS.user.includes(name))).toEqual([]);
    expect(DISPLAY_NAME_FIELDS.user.filter((name) => !USER_LIST_FIELDS.includes(name))).toEqual([]);
  });

  it('has every list of these services', () => {
    const listed = rows.flatMap(({ resource, showing }) =>
      showing.kind === 'list' && CHANGED[resource] ? [showing.path] : [],
    );
    expect(listed.sort()).toEqual(Object.keys(LISTS).sort());
  });
});
