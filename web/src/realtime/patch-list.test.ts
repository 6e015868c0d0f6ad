import type { Task } from '@atrium/proto-events/http/tasks';
import type { Role } from '@atrium/proto-events/people';
import type { Change } from '@atrium/proto-events/realtime';
import { describe, expect, it } from '@jest/globals';
import type { Edit } from '#lib/query/query-cache.ts';
import { buildTask } from '../../test/build-task.ts';
import { buildUser } from '../../test/build-user.ts';
import type { Item } from './items.ts';
import { withCreated, withoutDeleted, withSaved } from './own-writes.ts';
import { type PatchContext, patchResponse } from './patch-response.ts';

const PROJECT = 'b'.repeat(24);
const CONTEXT: PatchContext = {
  viewer: { userId: 'e'.repeat(24), role: 'admin' },
  today: '2026-11-29',
  membershipIn: () => null,
};
/** A page of the first three tasks, from urgent to low. */
const COLUMN = `/tasks/project/${PROJECT}?status=todo&sort=priority&limit=3`;

type Page = { data: Item[]; total: number; totalPages?: number; asOf?: string };

const task = (letter: string, overrides: Parameters<typeof buildTask>[1] = {}): Item => ({
  ...buildTask(letter, { membership: null, ...overrides }),
});
const page = (items: Item[], total = items.length): Page => ({ data: items, total, asOf: '10:10:' });
const change = (action: Change['action'], item: Item, overrides: Partial<Change> = {}): Change => ({
  resource: 'task',
  id: item._id,
  action,
  version: Number(item.version),
  tags: [`tasks-in:${PROJECT}`],
  item,
  transaction: '12',
  ...overrides,
});
const applyChanges = (data: unknown, ...changes: Change[]) => patchResponse(COLUMN, data, changes, CONTEXT);
const edit = (data: unknown, write: Edit) => write(COLUMN, data).data;

const lettersIn = (data: unknown) => (data as Page).data.map(({ _id }) => _id.slice(0, 1)).join('');
const show = (data: unknown) => [lettersIn(data), (data as Page).total];

describe('the total of a list', () => {
  const shown = page([task('a'), task('b')]);
  const created = task('c', { priority: 'urgent' });
  const own = withCreated('task', created, CONTEXT);

  it('counts the own new item once, although its change arrives as well', () => {
    const written = edit(shown, own);
    expect(show(written)).toEqual(['cab', 3]);
    expect(show(applyChanges(written, change('created', created)).data)).toEqual(['cab', 3]);
    const changed = applyChanges(shown, change('created', created)).data;
    expect(show(changed)).toEqual(['cab', 3]);
    expect(show(edit(changed, own))).toEqual(['cab', 3]);
  });

  it('is requested when the own new item is not on the page, because the response may count it already', () => {
    const long = page([task('a'), task('b'), task('d')], 9);
    const last = task('c', { priority: 'low' });
    expect(withCreated('task', last, CONTEXT)(COLUMN, long)).toEqual({ data: long, isStale: true });
    const { data, isStale } = applyChanges(long, change('created', last));
    expect([show(data), isStale]).toEqual([['abd', 10], false]);
  });

  it('counts a deletion once, although its change arrives as well', () => {
    const deleted = task('a');
    const written = edit(
      page([deleted, task('b')], 2),
      withoutDeleted('task', ({ _id }) => _id === deleted._id),
    );
    expect(show(written)).toEqual(['b', 1]);
    expect(applyChanges(written, change('deleted', deleted, { version: 0 }))).toEqual({
      data: written,
      isStale: false,
    });
  });

  it('counts a creation once that arrives again, merged with an update', () => {
    const once = applyChanges(shown, change('created', created)).data;
    const renamed = { ...created, title: 'Renamed', version: 2 };
    const merged = applyChanges(once, change('created', renamed, { transaction: '13' })).data;
    expect(show(merged)).toEqual(['cab', 3]);
    expect((merged as Page).data[0]?.title).toBe('Renamed');
  });

  it('is requested when an item is created that the user has already updated', () => {
    const updated = edit(shown, withSaved('task', { ...created, version: 2 }, CONTEXT));
    expect(applyChanges(updated, change('created', { ...created, version: 1 })).isStale).toBe(true);
    const counted = applyChanges(shown, change('created', { ...created, version: 1 })).data;
    const updatedLater = edit(counted, withSaved('task', { ...created, version: 2 }, CONTEXT));
    expect(applyChanges(updatedLater, change('created', { ...created, version: 1 })).isStale).toBe(false);
  });

  it('does not count a creation that the page included when it was read', () => {
    const data = page([task('a'), task('b'), task('c')], 9);
    expect(applyChanges(data, change('created', task('d'), { transaction: '9' }))).toEqual({ data, isStale: false });
  });
});

describe('an item of a list', () => {
  it('appears at once where only its place in the rest of the list is unknown, and is counted by the service', () => {
    const shown = page([task('a'), task('b'), task('d')], 9);
    const urgent = task('c', { priority: 'urgent', version: 2 });
    const moved = change('updated', urgent, { changed: ['status'] });
    for (const { data, isStale } of [applyChanges(shown, moved), withSaved('task', urgent, CONTEXT)(COLUMN, shown)])
      expect([show(data), isStale]).toEqual([['cab', 10], true]);
    const low = change('updated', task('c', { priority: 'low', version: 2 }), { changed: ['status'] });
    expect(applyChanges(shown, low)).toEqual({ data: shown, isStale: true });
  });

  it.each<[string, Partial<Task>, Partial<Task>, string, number]>([
    ['enters the page', { status: 'todo', priority: 'urgent' }, { status: 'done' }, 'cab', 10],
    ['enters the rest of the list', { status: 'todo', priority: 'low' }, { status: 'done' }, 'abd', 10],
    ['leaves the rest of the list', { status: 'done', priority: 'low' }, { status: 'todo' }, 'abd', 8],
    ['was in no list like this and is in none', { status: 'done' }, { status: 'review' }, 'abd', 9],
    ['moves up from the rest of the list', { priority: 'urgent' }, { priority: 'low' }, 'cab', 9],
  ])('that %s is counted by its previous values', (_label, now, previous, letters, total) => {
    const shown = page([task('a'), task('b'), task('d')], 9);
    const moved = task('c', { ...now, version: 2 });
    const { data, isStale } = applyChanges(
      shown,
      change('updated', moved, { changed: Object.keys(previous), previous }),
    );
    expect([show(data), isStale]).toEqual([[letters, total], false]);
  });

  it('stays removed when an earlier change arrives late', () => {
    const shown = page([task('a'), task('b')]);
    const done = task('b', { status: 'done', version: 3 });
    const late = task('b', { title: 'Late', version: 2 });
    const { data, isStale } = applyChanges(
      shown,
      change('updated', done, { changed: ['status'] }),
      change('updated', late, { changed: ['title'] }),
    );
    expect([show(data), isStale]).toEqual([['a', 1], false]);
    expect(show(applyChanges(data, change('deleted', done, { version: 0 })).data)).toEqual(['a', 1]);
  });

  it('is removed or updated after an own write that was slower than a response from after a later change', () => {
    const read = page([task('a')]);
    const written = edit(read, withCreated('task', task('b'), CONTEXT));
    const deletion = change('deleted', task('b'), { version: 0, transaction: '9' });
    expect(show(applyChanges(written, deletion).data)).toEqual(['a', 1]);
    const done = change('updated', task('b', { status: 'done', version: 2 }), { transaction: '9' });
    expect(show(applyChanges(written, done).data)).toEqual(['a', 1]);
  });

  it('is requested when a change without the item arrives after the same change with it', () => {
    const shown = page([task('a'), task('b')]);
    const renamed = task('b', { title: 'Renamed', version: 2 });
    const { item: _item, ...withoutItem } = change('updated', renamed, { changed: ['title'] });
    const once = applyChanges(shown, { ...withoutItem, item: renamed });
    expect(once.isStale).toBe(false);
    expect(applyChanges(once.data, withoutItem).isStale).toBe(true);
  });

  it('is requested when a change without the item arrives after a later one with it', () => {
    const { item: _item, ...joined } = change('updated', task('b', { version: 2 }), { transaction: '11' });
    const renamed = change('updated', task('b', { title: 'Renamed', version: 3 }), { changed: ['title'] });
    const { data, isStale } = applyChanges(page([task('a'), task('b')]), renamed);
    expect(isStale).toBe(false);
    expect(applyChanges(data, joined)).toEqual({ data, isStale: true });
  });

  it('is not requested when a change without the item is older than the response', () => {
    const shown = page([task('a'), task('b')]);
    const { item: _item, ...withoutItem } = change('updated', task('b', { version: 2 }), { transaction: '9' });
    expect(applyChanges(shown, withoutItem)).toEqual({ data: shown, isStale: false });
  });
});

describe('the last sign-in of a user, which events lack', () => {
  const { lastLogin: _lastLogin, ...user } = buildUser('a', { status: 'inactive', version: 2 });
  const patchUsers = (query: string, data: unknown, role: Role, ...overrides: Partial<Change>[]) => {
    const changes = overrides.map((each) =>
      change('updated', { ...user }, { resource: 'user', tags: ['users'], ...each }),
    );
    return patchResponse(`/users?${query}`, data, changes, { ...CONTEXT, viewer: { ...CONTEXT.viewer, role } });
  };
  const deactivated = { changed: ['status'] };
  const empty = page([]);

  it('is requested for administrators when the user appears in their list', () => {
    expect(patchUsers('status=inactive&limit=20', empty, 'admin', deactivated)).toEqual({ data: empty, isStale: true });
    expect(patchUsers('status=inactive&limit=20', empty, 'member', deactivated)).toMatchObject({
      data: { data: [user], total: 1 },
      isStale: false,
    });
  });

  it('stays when the user changes', () => {
    const listed: Item = { ...buildUser('a', { lastLogin: '2026-11-01T00:00:00.000Z' }) };
    const { data, isStale } = patchUsers('limit=20', page([listed]), 'admin', deactivated);
    expect((data as Page).data).toEqual([{ ...listed, status: 'inactive', version: 2 }]);
    expect(isStale).toBe(false);
  });

  it('leaves a page by it unknown when a user of another page is deleted', () => {
    const listed = page([{ ...buildUser('b', { lastLogin: '2026-11-01T00:00:00.000Z' }) }], 12);
    const query = 'limit=10&page=2&sortBy=lastLogin';
    expect(patchUsers(query, listed, 'admin', { action: 'deleted', version: 0 }).isStale).toBe(true);
  });
});
