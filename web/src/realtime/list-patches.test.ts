import { describe, expect, it } from '@jest/globals';
import { replaceItems } from './list-patches.ts';
import { findItemsRule } from './stale-queries.ts';

const item = (id: string, version: number, minute = 0) => ({
  _id: id,
  version,
  updatedAt: `2026-01-01T00:0${minute}:00.000Z`,
});
const list = { data: [item('b', 3, 2), item('a', 3, 1)], total: 9, page: 1 };
const fetched = (...items: ReturnType<typeof item>[]) => ({ ids: new Set(items.map(({ _id }) => _id)), items });

describe('replaceItems', () => {
  it('replaces the items by id and keeps the rest of the response', () => {
    expect(replaceItems(list, fetched(item('a', 4, 3)))).toEqual({ ...list, data: [item('b', 3, 2), item('a', 4, 3)] });
  });

  it('sorts the items if the order is known', () => {
    const before = findItemsRule('/projects?limit=6')?.before;
    expect(replaceItems(list, { ...fetched(item('a', 4, 3)), before })).toEqual({
      ...list,
      data: [item('a', 4, 3), item('b', 3, 2)],
    });
  });

  it('keeps newer versions', () => {
    expect(replaceItems(list, fetched(item('a', 2)))).toEqual(list);
  });

  it('returns undefined when an item of the list no longer exists', () => {
    expect(replaceItems(list, { ids: new Set(['a', 'b']), items: [item('a', 4)] })).toBeUndefined();
    expect(replaceItems(undefined, fetched(item('a', 4)))).toBeUndefined();
  });

  it('ignores items that have meanwhile left the list', () => {
    expect(replaceItems(list, { ids: new Set(['c']), items: [] })).toEqual(list);
  });
});
