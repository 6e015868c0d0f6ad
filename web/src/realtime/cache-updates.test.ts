import { describe, expect, it } from '@jest/globals';
import { versionIn, withChanged, withoutDeleted, withSaved } from './cache-updates.ts';
import type { Item } from './invalidation-rules.ts';

const id = (letter: string) => letter.repeat(24);
const PROJECT = id('b');
const COLUMN = `/tasks/project/${PROJECT}?sort=priority&limit=3&page=1&pages=1`;
const column = (status: string, more = '') => `${COLUMN}&status=${status}${more}`;
const task = (letter: string, changes: Item = {}) => ({
  _id: id(letter),
  title: `Task ${letter}`,
  description: '',
  status: 'todo',
  priority: 'medium',
  project: PROJECT,
  assignedTo: null,
  dueDate: null,
  version: 1,
  ...changes,
});
const page = (items: Item[], total = items.length) => ({ data: items, total, page: 1, totalPages: 1 });
const lettersIn = (response: unknown) =>
  (response as { data: { _id: string }[] }).data.map(({ _id }) => _id.slice(0, 1)).join('');
const totalIn = (response: unknown) => (response as { total: number }).total;

describe('a saved item', () => {
  it('replaces its previous version in lists and keeps the fields that the list omits', () => {
    const saved = withSaved('task', task('c', { title: 'New', version: 2 }));
    expect(saved('/tasks?limit=5', page([task('a'), task('c')]))).toEqual(
      page([task('a'), task('c', { title: 'New', version: 2 })]),
    );
    const one = task('c', { comments: ['done'] });
    expect(saved(`/tasks/${id('c')}`, one)).toEqual({ ...one, title: 'New', version: 2 });
    const plain = [task('c')];
    expect(saved('/tasks/my-tasks', plain)).toEqual([task('c', { title: 'New', version: 2 })]);
  });

  it('leaves a response unchanged that has a later version, another item, or only its name', () => {
    const saved = withSaved('task', task('c', { version: 2 }));
    const answers: [string, unknown][] = [
      ['/tasks?limit=5', page([task('c', { version: 3, status: 'done' })])],
      [`/tasks/${id('a')}`, task('a')],
      ['/tasks/stats', { total: 4 }],
      ['/projects?limit=6', page([task('c')])],
    ];
    for (const [key, response] of answers) expect(saved(key, response)).toBe(response);
  });

  it('moves from one column to the server position in the other', () => {
    const saved = withSaved('task', task('c', { status: 'done', priority: 'high', version: 2 }));
    const left = saved(column('todo'), page([task('a'), task('c')], 9));
    expect([lettersIn(left), totalIn(left)]).toEqual(['a', 8]);
    const done = page([task('a', { priority: 'urgent' }), task('d', { priority: 'high' }), task('b')]);
    // A page holds three items.
    const come = saved(column('done'), done);
    expect([lettersIn(come), totalIn(come)]).toEqual(['acd', 4]);
    const untouched = page([]);
    expect(saved(column('review'), untouched)).toBe(untouched);
    expect(saved(column('done').replace(PROJECT, id('e')), untouched)).toBe(untouched);
  });

  it('is appended to a column only when the column is complete', () => {
    const saved = withSaved('task', task('c', { status: 'done', priority: 'low' }));
    expect(lettersIn(saved(column('done'), page([task('a')])))).toBe('ac');
    const response = saved(column('done'), page([task('a')], 2));
    expect([lettersIn(response), totalIn(response)]).toEqual(['a', 3]);
  });

  it('enters a list whose filters it passes, and no list whose filters only the server can evaluate', () => {
    const saved = withSaved('task', task('c', { status: 'done', assignedTo: { _id: id('p') } }));
    const come = (more: string) => lettersIn(saved(column('done', more), page([])));
    expect(come('')).toBe('c');
    expect(come('&priority=high,medium')).toBe('c');
    expect(come('&priority=high')).toBe('');
    expect(come(`&assignedTo=${id('p')}`)).toBe('c');
    expect(come(`&assignedTo=${id('q')}`)).toBe('');
    expect(come('&search=TASK')).toBe('c');
    expect(come('&search=other')).toBe('');
    expect(come('&ids=x')).toBe('');
  });

  it('moves to the top of the first page of projects, which are sorted by latest change', () => {
    const project = (letter: string, updatedAt: string) => ({ _id: id(letter), updatedAt, version: 1 });
    const saved = withSaved('project', { ...project('a', '3'), version: 2 });
    const held = page([project('b', '2'), project('a', '1')], 9);
    expect(lettersIn(saved('/projects?limit=6', held))).toBe('ab');
    expect(lettersIn(saved('/projects?limit=6&page=2', held))).toBe('ba');
    expect(lettersIn(saved('/projects?limit=1', page([project('b', '2')], 9)))).toBe('a');
    expect(lettersIn(saved('/projects?limit=1&page=2', page([project('b', '2')], 9)))).toBe('b');
  });
});

describe('an item that was written without a full response', () => {
  it('is edited in place in every list', () => {
    const changed = withChanged('document', id('a'), (item) => ({ ...item, sharedWith: [] }));
    const [a, b] = [
      { _id: id('a'), sharedWith: ['p'] },
      { _id: id('b'), sharedWith: ['p'] },
    ];
    expect(changed('/documents?limit=9', page([a, b]))).toEqual(page([{ ...a, sharedWith: [] }, b]));
    expect(changed(`/documents/${id('a')}?link=false`, a)).toEqual({ ...a, sharedWith: [] });
    expect(changed(`/documents/${id('b')}?link=false`, b)).toBe(b);
  });

  it('is removed from every list', () => {
    const deleted = withoutDeleted('meeting', ({ seriesId }) => seriesId === 's');
    const [a, b] = [
      { _id: id('a'), seriesId: 's' },
      { _id: id('b'), seriesId: null },
    ];
    expect(deleted('/meetings?limit=9', page([a, b, { ...a, _id: id('c') }], 7))).toEqual(page([b], 5));
    expect(deleted('/meetings/upcoming?limit=5', [a, b])).toEqual([b]);
    expect(deleted(`/meetings/${id('a')}`, a)).toBe(a);
  });

  it('is identified by its version, if it has one', () => {
    expect(versionIn(page([task('a', { version: 4 })]), id('a'))).toBe(4);
    expect(versionIn(task('a', { version: 5 }), id('a'))).toBe(5);
    expect(versionIn(page([{ _id: id('a') }]), id('a'))).toBeUndefined();
    expect(versionIn(undefined, id('a'))).toBeUndefined();
  });
});
