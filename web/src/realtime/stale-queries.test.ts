import type { Change } from '@atrium/proto-events/realtime';
import { describe, expect, it } from '@jest/globals';
import { dependsOnOwnAccount, isMissedChange, isStale, type Staleness, staleness } from './stale-queries.ts';

const id = '65f0c0ffee0000000000000a';
const otherId = '65f0c0ffee0000000000000b';
const change = (resource: Change['resource'], action: Change['action'] = 'updated'): Change => ({
  resource,
  id,
  action,
  version: 2,
});

describe('staleness', () => {
  it('marks every list and count of the resource while neither the changed fields nor the data are known', () => {
    expect(isStale('/projects?limit=6', change('project'))).toBe(true);
    expect(isStale('/projects/stats', change('project'))).toBe(true);
    expect(isStale('/meetings/upcoming?limit=5', change('meeting'))).toBe(true);
  });

  it('marks a complete list when a new item was changed immediately, without field names', () => {
    const completeList = { data: [], total: 0, page: 1, totalPages: 0 };
    for (const [key, resource] of [
      ['/projects?limit=6', 'project'],
      ['/departments?limit=60', 'department'],
      ['/users?limit=20', 'user'],
    ] as const) {
      expect(isStale(key, change(resource), completeList)).toBe(true);
      expect(isStale(key, { ...change(resource), changed: ['description'] }, completeList)).toBe(false);
    }
  });

  it('marks only the resource with the id of the change', () => {
    expect(isStale(`/projects/${id}`, change('project'))).toBe(true);
    expect(isStale(`/projects/${otherId}`, change('project'))).toBe(false);
  });

  it("marks all documents when the user's department changes, and none when the user's name changes", () => {
    const isAffected = (...changed: string[]) =>
      dependsOnOwnAccount(`/documents?page=1`, { ...change('user'), changed });
    expect([isAffected('department'), isAffected('firstName')]).toEqual([true, false]);
    expect(dependsOnOwnAccount('/meetings', { ...change('user'), changed: ['department'] })).toBe(false);
    expect(dependsOnOwnAccount('/meetings/rooms?limit=100', { ...change('user'), changed: ['department'] })).toBe(true);
  });

  it('marks the list of rooms and the meetings that name the room', () => {
    const room = { _id: id, name: 'Blue', version: 1 };
    const rooms = { data: [room], total: 1, page: 1, totalPages: 1 };
    const isMarked = (key: string, data: unknown, ...changed: string[]) =>
      isStale(key, { ...change('room'), changed }, data);
    expect(isMarked('/meetings/rooms?limit=100', rooms, 'size')).toBe(true);
    expect(isStale('/meetings/rooms?limit=100', change('room', 'created'), rooms)).toBe(true);
    const meetings = { data: [{ _id: otherId, room }], total: 1, page: 1, totalPages: 1 };
    expect(isMarked('/meetings?page=1', meetings, 'name')).toBe(true);
    expect(isMarked('/meetings?page=1', meetings, 'size')).toBe(false);
    expect(isMarked('/meetings?page=1', { ...meetings, data: [{ _id: otherId, room: null }] }, 'name')).toBe(false);
    expect(isStale('/projects', change('room'))).toBe(false);
  });

  it('ignores other resources whose paths share a prefix', () => {
    expect(isStale('/meetings?page=1', change('project'))).toBe(false);
    expect(isStale('/projects-archive', change('project'))).toBe(false);
  });

  it('ignores resources that this version of the app does not know', () => {
    const unknownChange = { ...change('project'), resource: 'poll of tomorrow' } as unknown as Change;
    expect(isStale('/projects', unknownChange)).toBe(false);
  });

  it('marks the unread counts when the participants of a conversation change, and not when its name does', () => {
    const about = (changed?: string[]) =>
      isStale('/chat/unread', { ...change('conversation'), ...(changed && { changed }) });
    expect([about(), about(['title', 'participants']), about(['title'])]).toEqual([true, true, false]);
    expect(about(['otherParticipants'])).toBe(false);
    // A new conversation has nothing unread; a deleted one may have had.
    expect(isStale('/chat/unread', change('conversation', 'created'))).toBe(false);
    expect(isStale('/chat/unread', change('conversation', 'deleted'))).toBe(true);
    expect(isStale('/chat/conversations?limit=100&people=6', { ...change('conversation'), changed: ['title'] })).toBe(
      true,
    );
  });

  it('marks the list of conversations when a message arrives', () => {
    expect(isStale('/chat/conversations?limit=100&people=6', change('message'))).toBe(true);
    const message = (conversation: string) => `/chat/messages?conversation=${conversation}`;
    expect(isStale(message(id), change('message'))).toBe(false);
    expect([id, otherId].map((conversation) => isMissedChange(message(conversation), change('message')))).toEqual([
      true,
      false,
    ]);
  });

  it('marks people and departments when a department changes', () => {
    expect(isStale('/users?page=1', change('department'))).toBe(true);
    expect(isStale('/departments', change('department'))).toBe(true);
  });

  it.each(['user', 'department'] as const)(
    'marks responses that include people when a %s changes, and not when one is created',
    (resource) => {
      for (const key of [
        `/projects/${otherId}`,
        '/tasks/project/x?page=1',
        '/meetings',
        '/documents',
        '/chat/conversations',
      ])
        expect([
          isStale(key, change(resource)),
          isStale(key, change(resource, 'deleted')),
          isStale(key, change(resource, 'created')),
        ]).toEqual([true, true, false]);
    },
  );

  it('marks tasks only in lists of their project, and references to a project only if the referenced fields change', () => {
    const task = { ...change('task'), scope: { project: otherId } };
    expect([isStale(`/tasks/project/${otherId}?page=1`, task), isStale(`/tasks/project/${id}`, task)]).toEqual([
      true,
      false,
    ]);
    expect(isStale(`/tasks/${id}`, task)).toBe(true);
    const project = (...changed: string[]) => ({ ...change('project'), changed });
    for (const [key, byTeam, byProgress] of [
      [`/tasks/project/${id}`, true, false],
      [`/tasks/project/${otherId}`, false, false],
      ['/documents?page=1', true, false],
      [`/documents/project/${id}?limit=1`, true, false],
      [`/documents/project/${otherId}?limit=1`, false, false],
      ['/projects/stats', false, false],
    ] as const)
      expect([isStale(key, project('teamMembers')), isStale(key, project('progress'))]).toEqual([byTeam, byProgress]);
    expect(['status', 'deadline'].map((field) => isStale('/projects/stats', project(field)))).toEqual([true, true]);
  });

  it.each(['meeting', 'document'] as const)(
    'marks only the project lists of a %s when its project is known',
    (resource) => {
      const listMarked = (project?: string | null) => {
        const changes = { ...change(resource), ...(project !== undefined && { scope: { project } }) };
        return [`/${resource}s/project/${id}?limit=1`, `/${resource}s?page=1`].map((key) => isStale(key, changes));
      };
      expect([listMarked(id), listMarked(otherId), listMarked(null), listMarked()]).toEqual([
        [true, true],
        [false, true],
        [false, true],
        [true, true],
      ]);
    },
  );

  it('marks responses that show meeting notes, and lists that show whether there are any', () => {
    const about = (...changed: string[]) => ({ ...change('meeting'), changed });
    const list = (notes: string, _id = id) => ({ data: [{ _id, version: 1, notes, summary: '' }], total: 1 });
    for (const key of ['/meetings?page=1', '/meetings/project/65f0c0ffee0000000000000c?limit=2']) {
      expect(
        [list('Present'), list(''), list('', otherId), undefined].map((data) => isStale(key, about('notes'), data)),
      ).toEqual([false, true, false, true]);
    }
    expect(isStale(`/meetings/${id}`, about('notes'))).toBe(true);
    expect(isStale('/meetings/rooms?limit=100', about('notes'))).toBe(false);
  });

  it.each([
    ['/meetings?page=1', ['title', 'startTime', 'closing']],
    [`/meetings/project/${id}?limit=2`, ['title', 'startTime', 'closing']],
    ['/meetings/upcoming?limit=5', ['title', 'startTime', 'closing']],
    ['/meetings/calendar?whose=mine', ['title', 'startTime', 'closing']],
    ['/meetings/stats?timezone=x', ['title', 'startTime']],
    ['/meetings/busy?people=x', ['title', 'startTime']],
    ['/meetings/free-times?people=x', ['title', 'startTime']],
    ['/meetings/decisions?page=1', ['title', 'startTime', 'closing', 'decisions']],
    [`/meetings/${id}/closing`, ['title', 'startTime', 'closing', 'decisions', 'summary']],
    [`/meetings/${id}`, ['title', 'startTime', 'closing', 'decisions', 'agendaItems', 'notes', 'summary']],
  ])('marks %s when the meeting fields it shows change or are unknown', (key, shownFields) => {
    const data = { data: [{ _id: id, version: 1, notes: 'Present', summary: '' }], total: 1 };
    const fields = ['title', 'startTime', 'closing', 'decisions', 'agendaItems', 'notes', 'summary'];
    const isMarked = (changed?: string[]) => isStale(key, { ...change('meeting'), ...(changed && { changed }) }, data);
    expect(fields.filter((field) => isMarked([field]))).toEqual(shownFields);
    // A change of a series names one meeting, which may not be the one shown.
    expect([isMarked(), isStale(key, { ...change('meeting'), id: otherId }, data)]).toEqual([true, true]);
    expect(isStale(key, change('meeting', 'created'), data)).toBe(true);
  });

  it('marks no personal list of an administrator for a meeting they are not invited to', () => {
    const changes = { ...change('meeting'), asAdmin: true as const };
    for (const key of ['/meetings/upcoming?limit=5', '/meetings/calendar', '/meetings/calendar?whose=mine'])
      expect([key, isStale(key, changes), isStale(key, change('meeting'))]).toEqual([key, false, true]);
    for (const key of [
      '/meetings?page=1',
      '/meetings/stats?timezone=x',
      '/meetings/calendar?whose=all',
      '/meetings/busy?x',
      `/meetings/${id}`,
    ])
      expect([key, isStale(key, changes)]).toEqual([key, true]);
  });

  it('marks only responses that show the changed fields of a person', () => {
    const person = (...changed: string[]) => ({ ...change('user'), changed });
    for (const [key, byTimeZone, byBio, byName] of [
      ['/users?page=1', false, true, true],
      ['/departments', false, false, false],
      ['/projects?limit=6', false, false, true],
      [`/users/${id}`, true, true, true],
      [`/users/${otherId}`, false, false, false],
      ['/users/profile', true, true, true],
    ] as const)
      expect([person('timezone'), person('bio'), person('firstName')].map((changes) => isStale(key, changes))).toEqual([
        byTimeZone,
        byBio,
        byName,
      ]);
  });

  describe('staleness with cached data', () => {
    const column = (status: string) =>
      `/tasks/project/${otherId}?status=${status}&sort=priority&limit=100&page=1&pages=1`;
    const page = (total: number, ...data: object[]) => ({ data, total, page: 1, totalPages: 1 });
    const task = (...changed: string[]): Change => ({ ...change('task'), scope: { project: otherId }, changed });
    const item = { _id: id, version: 1 };
    const otherItem = { _id: otherId, version: 7 };

    it('marks the column that holds a task and the column that it moves to', () => {
      const columns = {
        todo: page(2, item, otherItem),
        review: page(1, otherItem),
        done: page(0),
        'in-progress': page(0),
      };
      const listStaleColumns = (changes: Change) =>
        Object.entries(columns).flatMap(([status, data]) => (isStale(column(status), changes, data) ? [status] : []));
      for (const field of ['title', 'comments', 'priority', 'progress'])
        expect(listStaleColumns(task(field))).toEqual(['todo']);
      expect(listStaleColumns({ ...task('status'), status: 'done' })).toEqual(['todo', 'done']);
      // Neither its column nor the changed fields are known.
      expect(listStaleColumns(task('status'))).toHaveLength(4);
      expect(listStaleColumns({ ...change('task'), scope: { project: otherId } })).toHaveLength(4);
      expect(listStaleColumns({ ...task(), id: 'f'.repeat(24), action: 'created', status: 'review' })).toEqual([
        'review',
      ]);
      expect(listStaleColumns({ ...task(), action: 'deleted' })).toEqual(['todo']);
    });

    it('marks every column with a request in flight, whose response is unknown', () => {
      for (const changes of [
        { ...task('status'), status: 'done' },
        { ...task('status'), action: 'deleted' as const },
      ])
        expect(isStale(column('todo'), changes)).toBe(true);
      expect(isStale(column('todo'), { ...task(), action: 'created', status: 'done' })).toBe(false);
    });

    it('marks a partial column when the order or filter can bring the task into it', () => {
      expect(isStale(column('todo'), task('dueDate'), page(300, otherItem))).toBe(true);
      expect(isStale(column('todo'), task('title'), page(300, otherItem))).toBe(false);
      const searchKey = `${column('todo')}&search=plan`;
      expect(isStale(searchKey, task('title'), page(1, otherItem))).toBe(true);
      expect(isStale(searchKey, task('dueDate'), page(1, otherItem))).toBe(false);
    });

    it('ignores changes that the data already includes', () => {
      for (const [key, data] of [
        [column('todo'), page(2, { ...item, version: 2 }, otherItem)],
        [`/tasks/${id}`, { ...item, version: 2 }],
        ['/projects?limit=6', page(9, { ...item, version: 2 })],
      ] as const)
        expect(
          [2, 3].map((version) =>
            isStale(key, { ...change(key.startsWith('/p') ? 'project' : 'task'), version }, data),
          ),
        ).toEqual([false, true]);
      expect(isStale(column('todo'), { ...task('title'), version: 0 }, page(2, item))).toBe(true);
    });

    it('marks one item of a list when its position remains known', () => {
      const projects = page(300, item, otherItem);
      const project = (...changed: string[]): Change => ({ ...change('project'), changed });
      const person = (...changed: string[]): Change => ({ ...change('user'), changed });
      const cases: [string, Change, unknown, Staleness][] = [
        [column('todo'), task('title'), page(2, item), 'item'],
        [column('todo'), task('priority'), page(2, item), 'all'],
        [column('todo'), { ...task('status'), status: 'done' }, page(2, item), 'all'],
        [`${column('todo')}&search=plan`, task('title'), page(2, item), 'all'],
        [column('todo'), task('title'), undefined, 'all'],
        [column('todo'), { ...task(), action: 'deleted' }, page(2, item), 'all'],
        ['/projects?limit=100&page=1', project('progress'), projects, 'item'],
        // A changed project moves to the top.
        ['/projects?limit=100&page=2', project('progress'), projects, 'all'],
        ['/projects?limit=100&status=on-hold', project('status'), projects, 'all'],
        ['/projects/my-projects', project('teamMembers'), projects, 'all'],
        ['/projects?limit=6', change('project'), projects, 'all'],
        ['/users?page=1', person('bio'), projects, 'item'],
        ['/users?page=1', person('lastName'), projects, 'all'],
        [`/projects/${id}`, project('progress'), item, 'all'],
      ];
      for (const [key, changes, data, expected] of cases)
        expect([key, staleness(key, changes, data)]).toEqual([key, expected]);
    });

    it('marks only responses that reference the person, and searches', () => {
      const renamed = { ...change('user'), changed: ['firstName'] };
      const team = (person: string) => page(1, { _id: 'p', teamMembers: [{ _id: person }] });
      expect([id, otherId].map((person) => isStale('/projects?limit=6', renamed, team(person)))).toEqual([true, false]);
      expect(isStale('/projects?limit=6', renamed, page(1, { _id: 'p', createdBy: id }))).toBe(false);
      expect(isStale('/documents?search=ann', renamed, page(0))).toBe(true);
      expect(isStale('/documents', renamed, page(0))).toBe(false);
      expect(isStale('/users/stats/overview', renamed, {})).toBe(false);
    });

    it('marks only responses that lack the message', () => {
      const message = (version: number, action: Change['action'] = 'created') => ({
        ...change('message', action),
        version,
      });
      const list = page(1, { _id: id, lastSeq: 5 });
      const key = '/chat/conversations?limit=100&people=6';
      expect([5, 6].map((seq) => isStale(key, message(seq), list))).toEqual([false, true]);
      // An edit is visible only for the last message.
      expect([4, 5].map((seq) => isStale(key, message(seq, 'updated'), list))).toEqual([false, true]);
      expect(isStale(key, message(1), page(300, { _id: otherId, lastSeq: 5 }))).toBe(true);
      expect(isStale(`${key}&page=2`, message(1), page(300, { _id: otherId, lastSeq: 5 }))).toBe(false);
    });
  });

  it('ignores keys that are not paths', () => {
    expect(isStale(['/projects'], change('project'))).toBe(false);
  });
});
