import { describe, expect, it } from '@jest/globals';
import { versionIn, withChanged, withoutDeleted, withSaved } from './cache-updates.ts';
import type { Item } from './invalidation-rules.ts';

const id = (letter: string) => letter.repeat(24);
const PROJECT = id('b');
const COLUMN = `/tasks/project/${PROJECT}?sort=priority&limit=3&page=1&pages=1`;
const column = (status: string, filters = '') => `${COLUMN}&status=${status}${filters}`;
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
    const applySaved = withSaved('task', task('c', { title: 'New', version: 2 }));
    expect(applySaved('/tasks?limit=5', page([task('a'), task('c')]))).toEqual(
      page([task('a'), task('c', { title: 'New', version: 2 })]),
    );
    const withComments = task('c', { comments: ['done'] });
    expect(applySaved(`/tasks/${id('c')}`, withComments)).toEqual({ ...withComments, title: 'New', version: 2 });
    const plainList = [task('c')];
    expect(applySaved('/tasks/my-tasks', plainList)).toEqual([task('c', { title: 'New', version: 2 })]);
  });

  it('leaves a response unchanged that has a later version, a different item, or only a reference', () => {
    const applySaved = withSaved('task', task('c', { version: 2 }));
    const responses: [string, unknown][] = [
      ['/tasks?limit=5', page([task('c', { version: 3, status: 'done' })])],
      [`/tasks/${id('a')}`, task('a')],
      ['/tasks/stats', { total: 4 }],
      ['/projects?limit=6', page([task('c')])],
    ];
    for (const [key, response] of responses) expect(applySaved(key, response)).toBe(response);
  });

  it('moves from one column to the server position in the other', () => {
    const applySaved = withSaved('task', task('c', { status: 'done', priority: 'high', version: 2 }));
    const previousColumn = applySaved(column('todo'), page([task('a'), task('c')], 9));
    expect([lettersIn(previousColumn), totalIn(previousColumn)]).toEqual(['a', 8]);
    const done = page([task('a', { priority: 'urgent' }), task('d', { priority: 'high' }), task('b')]);
    // A page holds three items.
    const newColumn = applySaved(column('done'), done);
    expect([lettersIn(newColumn), totalIn(newColumn)]).toEqual(['acd', 4]);
    const untouched = page([]);
    expect(applySaved(column('review'), untouched)).toBe(untouched);
    expect(applySaved(column('done').replace(PROJECT, id('e')), untouched)).toBe(untouched);
  });

  it('is appended to a column only when the column is complete', () => {
    const applySaved = withSaved('task', task('c', { status: 'done', priority: 'low' }));
    expect(lettersIn(applySaved(column('done'), page([task('a')])))).toBe('ac');
    const response = applySaved(column('done'), page([task('a')], 2));
    expect([lettersIn(response), totalIn(response)]).toEqual(['a', 3]);
  });

  it('enters a list whose filters it matches, and no list whose filters only the server can evaluate', () => {
    const applySaved = withSaved('task', task('c', { status: 'done', assignedTo: { _id: id('p') } }));
    const lettersAfter = (filters: string) => lettersIn(applySaved(column('done', filters), page([])));
    expect(lettersAfter('')).toBe('c');
    expect(lettersAfter('&priority=high,medium')).toBe('c');
    expect(lettersAfter('&priority=high')).toBe('');
    expect(lettersAfter(`&assignedTo=${id('p')}`)).toBe('c');
    expect(lettersAfter(`&assignedTo=${id('q')}`)).toBe('');
    expect(lettersAfter('&search=TASK')).toBe('c');
    expect(lettersAfter('&search=other')).toBe('');
    expect(lettersAfter('&ids=x')).toBe('');
  });

  it('moves to the top of the first page of projects, which are sorted by latest change', () => {
    const project = (letter: string, updatedAt: string) => ({ _id: id(letter), updatedAt, version: 1 });
    const applySaved = withSaved('project', { ...project('a', '3'), version: 2 });
    const projects = page([project('b', '2'), project('a', '1')], 9);
    expect(lettersIn(applySaved('/projects?limit=6', projects))).toBe('ab');
    expect(lettersIn(applySaved('/projects?limit=6&page=2', projects))).toBe('ba');
    expect(lettersIn(applySaved('/projects?limit=1', page([project('b', '2')], 9)))).toBe('a');
    expect(lettersIn(applySaved('/projects?limit=1&page=2', page([project('b', '2')], 9)))).toBe('b');
  });
});

describe('an item that was written without a full response', () => {
  it('is edited in place in every list', () => {
    const applyChange = withChanged('document', id('a'), (item) => ({ ...item, sharedWith: [] }));
    const a = { _id: id('a'), sharedWith: ['p'] };
    const b = { _id: id('b'), sharedWith: ['p'] };
    expect(applyChange('/documents?limit=9', page([a, b]))).toEqual(page([{ ...a, sharedWith: [] }, b]));
    expect(applyChange(`/documents/${id('a')}?link=false`, a)).toEqual({ ...a, sharedWith: [] });
    expect(applyChange(`/documents/${id('b')}?link=false`, b)).toBe(b);
  });

  it('is removed from every list', () => {
    const applyDeletion = withoutDeleted('meeting', ({ seriesId }) => seriesId === 's');
    const a = { _id: id('a'), seriesId: 's' };
    const b = { _id: id('b'), seriesId: null };
    expect(applyDeletion('/meetings?limit=9', page([a, b, { ...a, _id: id('c') }], 7))).toEqual(page([b], 5));
    expect(applyDeletion('/meetings/upcoming?limit=5', [a, b])).toEqual([b]);
    expect(applyDeletion(`/meetings/${id('a')}`, a)).toBe(a);
  });

  it('is found in a response with its version', () => {
    expect(versionIn(page([task('a', { version: 4 })]), id('a'))).toBe(4);
    expect(versionIn(task('a', { version: 5 }), id('a'))).toBe(5);
    expect(versionIn(page([{ _id: id('a') }]), id('a'))).toBeUndefined();
    expect(versionIn(undefined, id('a'))).toBeUndefined();
  });
});
