import { describe, expect, it } from '@jest/globals';
import { buildProject } from '../../test/build-project.ts';
import { buildTask } from '../../test/build-task.ts';
import type { Item } from './items.ts';
import { withChanged, withCreated, withoutDeleted, withSaved } from './own-writes.ts';
import type { PatchContext } from './patch-response.ts';

const id = (letter: string) => letter.repeat(24);
const PROJECT = id('b');
const CONTEXT: PatchContext = {
  viewer: { userId: id('e'), role: 'admin' },
  today: '2026-11-29',
  membershipIn: () => null,
};
const column = (status: string, filters = '') =>
  `/tasks/project/${PROJECT}?sort=priority&limit=3&page=1&pages=1&status=${status}${filters}`;
const task = (letter: string, overrides: Parameters<typeof buildTask>[1] = {}): Item => ({
  ...buildTask(letter, overrides),
});
const page = (items: Item[], total = items.length) => ({ data: items, total, page: 1, totalPages: 1 });
type Page = ReturnType<typeof page>;
const lettersIn = (data: unknown) => (data as Page).data.map(({ _id }) => _id.slice(0, 1)).join('');
const show = (data: unknown) => [lettersIn(data), (data as Page).total];

describe('a saved item', () => {
  it('replaces its previous version in lists and on its own, and keeps what its response lacks', () => {
    const saved = withSaved('task', task('c', { title: 'New', version: 2 }), CONTEXT);
    const listed = saved(column('todo'), page([task('a'), task('c')])).data as Page;
    expect(listed.data.map(({ title }) => title)).toEqual(['Task a', 'New']);
    const comments = [{ _id: id('1') }];
    expect(saved(`/tasks/${id('c')}`, { ...task('c'), comments }).data).toMatchObject({ title: 'New', comments });
  });

  it('replaces what its response has instead', () => {
    const comments = [{ _id: id('1') }];
    const saved = withSaved('task', { ...task('c', { version: 2 }), comments }, CONTEXT);
    expect(saved(`/tasks/${id('c')}`, { ...task('c'), comments: [] }).data).toMatchObject({ comments });
    const project = { ...buildProject({ membership: 'member', version: 2 }) };
    const joined = withSaved(
      'project',
      project,
      CONTEXT,
    )(`/projects/${PROJECT}`, {
      ...buildProject({ membership: null }),
    });
    expect(joined.data).toMatchObject({ membership: 'member' });
  });

  it('leaves a response that has a later version, another item, or only a reference', () => {
    const saved = withSaved('task', task('c', { version: 2 }), CONTEXT);
    const responses: [string, unknown][] = [
      [column('todo'), page([task('c', { version: 3, status: 'todo' })])],
      [`/tasks/${id('a')}`, task('a')],
      ['/tasks/stats', { total: 4 }],
      ['/projects?limit=6', page([{ ...buildProject(), _id: id('c') }])],
      ['/tasks-archive', page([task('c')])],
      [column('todo'), undefined],
    ];
    for (const [key, data] of responses.slice(0, -1)) expect(saved(key, data)).toEqual({ data, isStale: false });
    expect(saved(...(responses.at(-1) ?? ['', null])).data).toBeUndefined();
  });

  it('moves from one column to its place in another', () => {
    const saved = withSaved('task', task('c', { status: 'done', priority: 'high', version: 2 }), CONTEXT);
    const previous = saved(column('todo'), page([task('a'), task('c')]));
    expect([show(previous.data), previous.isStale]).toEqual([['a', 1], false]);
    const next = saved(column('done'), page([task('a', { priority: 'urgent' }), task('d', { priority: 'low' })]));
    expect([show(next.data), next.isStale]).toEqual([['acd', 3], false]);
    const other = page([]);
    expect(saved(column('review'), other)).toEqual({ data: other, isStale: false });
    expect(saved(column('done').replace(PROJECT, id('f')), other)).toEqual({ data: other, isStale: false });
  });

  it('makes a column stale that it leaves and whose next item is unknown', () => {
    const saved = withSaved('task', task('c', { status: 'done', version: 2 }), CONTEXT);
    const { data, isStale } = saved(column('todo'), page([task('a'), task('c')], 9));
    expect([show(data), isStale]).toEqual([['a', 8], true]);
  });

  it('replaces its previous version in lists whose rules only the service knows', () => {
    const meeting = (version: number, responseStatus?: string): Item => ({
      _id: id('1'),
      version,
      ...(responseStatus && { responseStatus }),
    });
    const saved = withSaved('meeting', { ...meeting(2), title: 'New' }, CONTEXT);
    expect(saved('/meetings?page=1', page([meeting(1, 'accepted')])).data).toMatchObject({
      data: [{ title: 'New', version: 2, responseStatus: 'accepted' }],
    });
    const later = page([meeting(3)]);
    expect(saved('/meetings?page=1', later).data).toBe(later);
    expect(saved('/meetings/upcoming?limit=5', [meeting(1)]).data).toEqual([{ ...meeting(2), title: 'New' }]);
  });
});

describe('a created item', () => {
  const lettersAfter = (filters: string) => {
    const created = task('c', { status: 'done', assignedTo: { _id: id('1'), firstName: 'A', lastName: 'B' } });
    return lettersIn(withCreated('task', created, CONTEXT)(column('done', filters), page([])).data);
  };

  it('enters lists whose filters it matches', () => {
    expect(lettersAfter('')).toBe('c');
    expect(lettersAfter('&priority=high,medium')).toBe('c');
    expect(lettersAfter('&priority=high')).toBe('');
    expect(lettersAfter(`&assignedTo=${id('1')}`)).toBe('c');
    expect(lettersAfter(`&assignedTo=${id('2')}`)).toBe('');
    expect(lettersAfter('&search=TASK')).toBe('c');
    expect(lettersAfter('&search=other')).toBe('');
    expect(lettersAfter('&ids=x')).toBe('');
  });

  it('enters the first page of a longer list, which counts it', () => {
    const created = { ...buildProject({ updatedAt: '2026-02-01T00:00:00.000Z' }), _id: id('c') };
    const edit = withCreated('project', created, CONTEXT);
    const projects = page([{ ...buildProject({ _id: id('a') }) }], 9);
    expect(show(edit('/projects?limit=1&people=6', projects).data)).toEqual(['c', 10]);
    expect(edit('/projects?limit=1&people=6&page=2', projects).isStale).toBe(true);
  });
});

describe('an item that was written without a response', () => {
  const a = { _id: id('a'), sharedWith: ['p'] };
  const b = { _id: id('b'), sharedWith: ['p'] };

  it('is changed in place in every response', () => {
    const change = withChanged('document', a._id, (item) => ({ ...item, sharedWith: [] }));
    const changed = { ...a, sharedWith: [] };
    expect(change('/documents?limit=9', page([a, b]))).toEqual({ data: page([changed, b]), isStale: false });
    expect(change(`/documents/${a._id}?link=false`, a)).toEqual({ data: changed, isStale: false });
    expect(change(`/documents/${b._id}?link=false`, b).data).toBe(b);
    const others = page([b]);
    expect(change('/documents?limit=9', others).data).toBe(others);
    expect(change('/projects?limit=9', others).data).toBe(others);
  });

  it('is removed from every list when it was deleted, but not on its own', () => {
    const deleted = withoutDeleted('meeting', ({ seriesId }) => seriesId === 's');
    const first = { _id: id('a'), seriesId: 's' };
    const other = { _id: id('b'), seriesId: null };
    const long = deleted('/meetings?limit=9', page([first, other, { ...first, _id: id('c') }], 7));
    expect([show(long.data), long.isStale]).toEqual([['b', 5], true]);
    const whole = deleted('/meetings?limit=9', page([first, other]));
    expect([show(whole.data), whole.isStale]).toEqual([['b', 1], false]);
    const last = deleted('/meetings?limit=2&page=2', { ...page([first], 3), totalPages: 2 });
    expect(last).toMatchObject({ data: { total: 2, totalPages: 1 }, isStale: false });
    expect(deleted('/meetings?limit=9', { data: [first, other] }).data).toEqual({ data: [other] });
    expect(deleted('/meetings/upcoming?limit=5', [first, other])).toEqual({ data: [other], isStale: false });
    expect(deleted('/meetings/upcoming?limit=2', [first, other])).toEqual({ data: [other], isStale: true });
    expect(deleted(`/meetings/${first._id}`, first).data).toBe(first);
    const others = page([other]);
    expect(deleted('/meetings?limit=9', others).data).toBe(others);
  });
});
