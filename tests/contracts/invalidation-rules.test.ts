import { listDepartments, updateDepartmentBody } from '@atrium/proto-events/http/departments';
import { updateMeetingBody } from '@atrium/proto-events/http/meetings/meeting-fields';
import { listMyProjects, listProjects, updateProjectBody } from '@atrium/proto-events/http/projects';
import { listProjectTasks, listTasks, updateTaskBody } from '@atrium/proto-events/http/tasks';
import { listProjectManagers, listUsers, updateProfileBody, updateUserBody } from '@atrium/proto-events/http/users';
import { DISPLAY_NAME_FIELDS, USER_LIST_FIELDS } from '@atrium/proto-events/live-updates/topics';
import { userSummary } from '@atrium/proto-events/people';
import { type Fields, INVALIDATION_RULES, type InvalidationRule } from '@atrium/web/realtime/invalidation-rules';
import { describe, expect, it } from '@jest/globals';

// These tests compare the invalidation rules of browsers with the contracts of writes and responses.

const listFieldNames = (...shapes: Record<string, unknown>[]) =>
  [...new Set(shapes.flatMap((shape) => Object.keys(shape)))].filter((name) => name !== 'version');

/** Fields that a service can report as changed: the fields of its writes, and fields that it changes itself. */
const CHANGED_FIELDS: Partial<Record<keyof typeof INVALIDATION_RULES, string[]>> = {
  user: [
    ...listFieldNames(updateProfileBody.shape, updateUserBody.shape),
    'invited',
    'joinDate',
    'lastLogin',
    'avatar',
    'email',
  ],
  department: listFieldNames(updateDepartmentBody.shape),
  project: [...listFieldNames(updateProjectBody.shape), 'teamMembers'],
  task: [...listFieldNames(updateTaskBody.shape), 'comments'],
  meeting: [...listFieldNames(updateMeetingBody.shape), 'decisions', 'closing'],
};

const LISTS = {
  '/users': listUsers,
  '/users/project-managers': listProjectManagers,
  '/departments': listDepartments,
  '/projects': listProjects,
  '/projects/my-projects': listMyProjects,
  '/tasks/project/:id': listProjectTasks,
};

/** Lists that items are refetched from by id. */
const ITEM_LISTS = { ...LISTS, '/tasks': listTasks };

/** Parameters that need no filter rule: paging, sorting, and parameters whose matching items never change. */
const NON_FILTERING_PARAMETERS = ['page', 'limit', 'sort', 'project', 'ids', 'people'];

const getItemSchema = (list: (typeof ITEM_LISTS)[keyof typeof ITEM_LISTS] | undefined) =>
  list && 'shape' in list.response ? list.response.shape.data.element : undefined;

const rows = Object.entries(INVALIDATION_RULES).flatMap(([resource, { rules }]) =>
  rules.map((rule) => ({ resource: resource as keyof typeof INVALIDATION_RULES, rule })),
);
const listRuleFields = (rule: InvalidationRule): Fields[] => {
  switch (rule.kind) {
    case 'list':
      return [rule.shows, rule.order, ...Object.values(rule.filters)];
    case 'counts':
    case 'isSet':
    case 'references':
    case 'allExcept':
    case 'permissions':
      return [rule.fields];
    default:
      return [];
  }
};

describe('the invalidation rules of browsers', () => {
  it.each(Object.entries(CHANGED_FIELDS))(
    'for a %s name only fields that can be reported as changed',
    (resource, changedFields) => {
      const ruleFields = rows
        .filter((row) => row.resource === resource)
        .flatMap(({ rule }) => listRuleFields(rule))
        .flatMap((fields) => (fields === 'any' ? [] : fields));
      expect(ruleFields.length).toBeGreaterThan(0);
      expect(ruleFields.filter((field) => !changedFields?.includes(field))).toEqual([]);
    },
  );

  it.each(Object.entries(LISTS))('have a filter for each parameter of %s', (path, { query }) => {
    const own = rows.find(({ rule }) => rule.kind === 'list' && rule.path === path)?.rule;
    if (own?.kind !== 'list') throw new Error(`No rule for the list ${path}`);
    const filterNames = Object.keys(own.filters).filter((name) => name !== '');
    expect(filterNames.sort()).toEqual(
      Object.keys(query.shape)
        .filter((name) => !NON_FILTERING_PARAMETERS.includes(name))
        .sort(),
    );
  });

  it('refetch items by id only through a list that returns them in the same shape', () => {
    const itemRules = rows.flatMap(({ rule }) => (rule.kind === 'list' && rule.items ? [[rule.path, rule.items]] : []));
    expect(itemRules.length).toBeGreaterThan(3);
    for (const [path = '', items = ''] of itemRules) {
      const [list, itemList] = [path, items].map((name) => ITEM_LISTS[name as keyof typeof ITEM_LISTS]);
      expect(Object.keys(itemList?.query.shape ?? {})).toContain('ids');
      expect(getItemSchema(list)).toBe(getItemSchema(itemList));
    }
  });

  it('treat all changeable fields of the user summary as displayed, and no user field that lists do not show', () => {
    const summaryFields = Object.keys(userSummary.shape).filter((name) => CHANGED_FIELDS.user?.includes(name));
    const nameFields: readonly string[] = DISPLAY_NAME_FIELDS.user;
    expect(summaryFields.filter((name) => !nameFields.includes(name))).toEqual([]);
    expect(DISPLAY_NAME_FIELDS.user.filter((name) => !USER_LIST_FIELDS.includes(name))).toEqual([]);
  });

  it('treat only project fields that events can name as displayed', () => {
    expect(DISPLAY_NAME_FIELDS.project.filter((name) => !CHANGED_FIELDS.project?.includes(name))).toEqual([]);
  });

  it('cover exactly the lists that these tests know', () => {
    const ruledLists = rows.flatMap(({ resource, rule }) =>
      rule.kind === 'list' && CHANGED_FIELDS[resource] ? [rule.path] : [],
    );
    expect(ruledLists.sort()).toEqual(Object.keys(LISTS).sort());
  });
});
