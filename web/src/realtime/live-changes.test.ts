import type { Tag } from '@atrium/proto-events/change-tags';
import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import type { User } from '@atrium/proto-events/people';
import type { Change } from '@atrium/proto-events/realtime';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { QueryCache } from '#lib/query/query-cache.ts';
import { buildProject } from '../../test/build-project.ts';
import { buildTask } from '../../test/build-task.ts';
import { buildUser } from '../../test/build-user.ts';
import { applyChanges, selectTags, toViewer } from './live-changes.ts';
import { onUserChanges } from './user-changes.ts';

const ME = buildUser('e');
const PROJECT = 'b'.repeat(24);
const BOARD = `/tasks/project/${PROJECT}?status=todo&sort=priority&limit=100&page=1&pages=1`;

let cache: QueryCache;
let showCount: number;

beforeEach(() => {
  cache = new QueryCache();
  showCount = 0;
  cache.show = (key, data) => {
    showCount += 1;
    cache.set(key, { data });
  };
});

const page = <Item>(...data: Item[]) => ({ data, total: data.length, page: 1, totalPages: 1 });
const show = (key: string, data: unknown) => void cache.set(key, { data: cache.startRequest(key).succeed(data) });
const shownItems = <Item>(key: string): Item[] => (cache.get(key)?.data as { data: Item[] } | undefined)?.data ?? [];

/** The item of an event, with references instead of users. */
function toEventItem({ membership: _m, abilities: _a, denialReasons: _d, ...task }: Task): object {
  return {
    ...task,
    createdBy: { _id: task.createdBy._id },
    assignedTo: task.assignedTo && { _id: task.assignedTo._id },
  };
}

const created = (task: Task): Change => ({
  resource: 'task',
  id: task._id,
  action: 'created',
  version: task.version,
  tags: ['tasks', `tasks-in:${PROJECT}`],
  item: toEventItem(task),
});

describe('applyChanges', () => {
  it('shows the users referenced by items', () => {
    show(`/projects/${PROJECT}`, buildProject({ _id: PROJECT }));
    show(BOARD, page());
    const assignee = buildUser('a', { firstName: 'Ada' });
    const creator = buildUser('c');
    const people = [assignee, creator].map(({ _id, firstName, lastName }) => ({ _id, firstName, lastName }));
    applyChanges(
      cache,
      { changes: [created(buildTask('1', { assignedTo: assignee, createdBy: creator }))], people },
      ME,
    );
    const [task] = shownItems<Task>(BOARD);
    expect([task?.assignedTo, task?.createdBy]).toEqual(people);
  });

  it('requests a project when the user has joined it, unless the response is from after that', () => {
    const key = `/projects/${PROJECT}`;
    const staleKeys: string[] = [];
    cache.onStale((staleKey) => void staleKeys.push(staleKey));
    const project = buildProject({ _id: PROJECT, version: 2 });
    const change = (version: number, overrides: Partial<Change> = {}): Change => ({
      resource: 'project',
      id: PROJECT,
      action: 'updated',
      version,
      tags: ['projects', `project:${PROJECT}`],
      ...overrides,
    });
    const apply = (...changes: Change[]) => applyChanges(cache, { changes }, ME);
    show(key, project);
    apply(change(1), change(2), change(1, { action: 'created', item: { ...project, version: 1 } }));
    expect(staleKeys).toEqual([]);
    apply(change(4, { item: { ...project, version: 4 }, changed: ['name'] }));
    expect(staleKeys).toEqual([]);
    apply(change(3));
    expect(staleKeys).toEqual([key]);
  });

  it('does not request a task because of its creation, which the response is from after', () => {
    const opened = buildTask('1', { project: PROJECT });
    const key = `/tasks/${opened._id}`;
    const staleKeys: string[] = [];
    show(key, opened);
    cache.onStale((staleKey) => void staleKeys.push(staleKey));
    const { tags, ...change } = created(opened);
    const ofTask = { ...change, tags: [...tags, `task:${opened._id}` as const] };
    applyChanges(cache, { changes: [ofTask] }, ME);
    expect(staleKeys).toEqual([]);
    applyChanges(cache, { changes: [{ ...ofTask, action: 'updated', changed: ['comments'] }] }, ME);
    expect(staleKeys).toEqual([key]);
  });

  it('shows all changes of a response at once', () => {
    show(`/projects/${PROJECT}`, buildProject({ _id: PROJECT }));
    show(BOARD, page());
    const tasks = ['1', '2', '3'].map((letter) => buildTask(letter));
    applyChanges(cache, { changes: tasks.map(created) }, ME);
    expect([shownItems(BOARD).length, showCount]).toEqual([3, 1]);
  });

  it('reports the users that changed, for data that is not in the cache', () => {
    const reported: unknown[] = [];
    const stop = onUserChanges((users) => reported.push([...users.keys()]));
    const user = buildUser('a');
    const base = { resource: 'user', action: 'updated', version: 2, item: user } as const;
    applyChanges(
      cache,
      {
        changes: [
          { ...base, id: user._id, tags: ['users', 'people'] },
          { ...base, id: ME._id, tags: ['users'] },
        ],
      },
      ME,
    );
    stop();
    expect(reported).toEqual([[user._id]]);
  });
});

describe('the abilities of a new task', () => {
  const abilitiesFor = (user: User) => {
    show(BOARD, page());
    applyChanges(cache, { changes: [created(buildTask('1'))] }, user);
    return shownItems<Task>(BOARD)[0]?.abilities;
  };
  const project = (overrides: Partial<Project> = {}) => buildProject({ _id: PROJECT, ...overrides });
  const ALL = { update: true, updateStatus: true, comment: true, delete: true };
  const MEMBER = { ...ALL, delete: false };
  const NONE = { update: false, updateStatus: false, comment: false, delete: false };

  it('are those of a member of the project that is shown', () => {
    show(`/projects/${PROJECT}`, project({ membership: 'member' }));
    expect(abilitiesFor(ME)).toEqual(MEMBER);
  });

  it('are those of the manager of a project in a list', () => {
    show('/projects?limit=6', page(project({ membership: 'manager' })));
    expect(abilitiesFor(ME)).toEqual(ALL);
  });

  it('are those of a member according to another task of the project', () => {
    show(`/tasks/${'f'.repeat(24)}`, buildTask('f', { project: PROJECT, membership: 'member' }));
    expect(abilitiesFor(ME)).toEqual(MEMBER);
  });

  it('are none for a member of the workspace who is not in the project', () => {
    show(`/projects/${PROJECT}`, project({ membership: null }));
    expect(abilitiesFor(ME)).toEqual(NONE);
  });

  it('are all for an administrator', () => {
    show(`/projects/${PROJECT}`, project({ membership: null }));
    expect(abilitiesFor({ ...ME, role: 'admin' })).toEqual(ALL);
  });

  it.each(['unknown', 'stale'])('are requested while the place of the user in the project is %s', (state) => {
    if (state === 'stale') show(`/projects/${PROJECT}`, project({ membership: 'member' }));
    cache.markStale(`/projects/${PROJECT}`);
    expect([abilitiesFor(ME), cache.dataAge(BOARD)]).toEqual([undefined, Number.POSITIVE_INFINITY]);
  });

  it('are those of the latest version of the project, and not of a task that is no longer shown', () => {
    show('/projects?limit=6', page(project({ membership: null, version: 4 })));
    show(`/projects/${PROJECT}`, project({ membership: 'member', version: 5 }));
    show('/projects?limit=6&page=2', page(project({ membership: null, version: 3 })));
    show(`/tasks/${'f'.repeat(24)}`, buildTask('f', { project: PROJECT, membership: null }));
    expect(abilitiesFor(ME)).toEqual(MEMBER);
  });

  it('do not come from a list that shows only the first members of a large team', () => {
    show(`/projects/${PROJECT}`, project({ membership: 'member', version: 4 }));
    show('/projects?limit=6', page(project({ membership: null, version: 5, memberCount: 40 })));
    expect(abilitiesFor(ME)).toEqual(MEMBER);
  });
});

describe('a project that moves up into a list', () => {
  const LIST = '/projects?limit=6&people=6';
  const membershipOf = (overrides: Partial<Project>) => {
    const { membership: _m, abilities: _a, denialReasons: _d, ...item } = buildProject({ version: 2, ...overrides });
    const change: Change = {
      resource: 'project',
      id: item._id,
      action: 'updated',
      version: 2,
      tags: ['projects'],
      item,
    };
    show(LIST, { ...page(buildProject({ _id: '9'.repeat(24), updatedAt: '2025-01-01T00:00:00.000Z' })), total: 9 });
    applyChanges(cache, { changes: [change] }, ME);
    return shownItems<Project>(LIST)[0]?.membership;
  };

  it('shows the place of the user in it', () => {
    expect(membershipOf({ projectManager: ME })).toBe('manager');
    expect(membershipOf({ teamMembers: [buildUser('c'), ME] })).toBe('member');
    expect(membershipOf({ teamMembers: [buildUser('c')] })).toBeNull();
  });

  it('shows the place that another response knows, in a large team', () => {
    show(`/projects/${PROJECT}`, buildProject({ membership: 'member' }));
    expect(membershipOf({ memberCount: 40 })).toBe('member');
  });

  it('is requested only if a large team may include the user', () => {
    const staleKeys: string[] = [];
    cache.onStale((key) => void staleKeys.push(key));
    membershipOf({ memberCount: 40, teamMembers: [buildUser('c'), ME] });
    membershipOf({ _id: '8'.repeat(24), teamMembers: [buildUser('c')] });
    expect(staleKeys).toEqual([]);
    membershipOf({ _id: '7'.repeat(24), memberCount: 40, teamMembers: [buildUser('c')] });
    expect(staleKeys).toEqual([LIST]);
  });

  it('is requested after a change without an item', () => {
    show(LIST, page(buildProject()));
    const staleKeys: string[] = [];
    cache.onStale((key) => void staleKeys.push(key));
    const change = { resource: 'project', id: buildProject()._id, action: 'updated', version: 2 } as const;
    applyChanges(cache, { changes: [{ ...change, tags: ['projects'] }] }, ME);
    expect(staleKeys).toEqual([LIST]);
  });
});

describe('selectTags', () => {
  const select = (...keys: string[]) => selectTags(keys, ME).tags.filter((tag) => tag !== `user:${ME._id}`);

  it('selects the tags of all keys once, and those of the own account and names always', () => {
    expect(selectTags([], ME)).toEqual({ tags: ['people', `user:${ME._id}`], unsubscribed: [] });
    expect(select('/projects?limit=6', '/projects?limit=100', `/projects/${PROJECT}`, '/projects/stats')).toEqual(
      ['people', `project:${PROJECT}`, 'project-counts', 'projects'].sort(),
    );
    expect(select(BOARD, '/tasks/my-tasks')).toEqual(['people', `tasks-in:${PROJECT}`, `tasks-of:${ME._id}`].sort());
  });

  it('selects none for keys without live updates', () => {
    expect(select('/activity?page=1', '/health', 'file-link 1 x', '/unknown')).toEqual(['people']);
  });

  it('leaves out later keys whose tags exceed the limit of a socket', () => {
    const keys = Array.from({ length: 300 }, (_, n) => `/users/${n.toString(16).padStart(24, '0')}`);
    const { tags, unsubscribed } = selectTags([...keys, keys[0] ?? '', '/tasks/my-tasks'], ME);
    expect(tags).toHaveLength(200);
    const isSubscribed = (key: string) => tags.includes(`user:${key.slice('/users/'.length)}` as Tag);
    expect(unsubscribed).toEqual([...keys.filter((key) => !isSubscribed(key)), '/tasks/my-tasks']);
    expect(keys.slice(0, 195).every(isSubscribed)).toBe(true);
  });
});

it('toViewer grants a self-assigned department no access', () => {
  const department = { _id: 'd'.repeat(24), name: 'Design' };
  expect(toViewer({ ...ME, department }).departmentId).toBe(department._id);
  expect(toViewer({ ...ME, department, departmentSelfAssigned: true }).departmentId).toBeNull();
});
