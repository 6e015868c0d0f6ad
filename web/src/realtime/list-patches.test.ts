import { describe, expect, it } from '@jest/globals';
import { withItems } from './list-patches.ts';
import { listOfItems } from './stale-queries.ts';

const item = (id: string, version: number, minute = 0) => ({
  _id: id,
  version,
  updatedAt: `2026-01-01T00:0${minute}:00.000Z`,
});
const held = { data: [item('b', 3, 2), item('a', 3, 1)], total: 9, page: 1 };
const asked = (...items: ReturnType<typeof item>[]) => ({ ids: new Set(items.map(({ _id }) => _id)), items });

describe('items of a list', () => {
  it('take the place of those of before, and leave the rest of the answer as it is', () => {
    expect(withItems(held, asked(item('a', 4, 3)))).toEqual({ ...held, data: [item('b', 3, 2), item('a', 4, 3)] });
  });

  it('stand where the list has them now, if that can be told', () => {
    const before = listOfItems('/projects?limit=6')?.before;
    expect(withItems(held, { ...asked(item('a', 4, 3)), before })).toEqual({
      ...held,
      data: [item('a', 4, 3), item('b', 3, 2)],
    });
  });

  it('do not replace later ones', () => {
    expect(withItems(held, asked(item('a', 2)))).toEqual(held);
  });

  it('have the list asked for itself where one is not there any more', () => {
    expect(withItems(held, { ids: new Set(['a', 'b']), items: [item('a', 4)] })).toBeUndefined();
    expect(withItems(undefined, asked(item('a', 4)))).toBeUndefined();
  });

  it('are none of this list where it has let go of them meanwhile', () => {
    expect(withItems(held, { ids: new Set(['c']), items: [] })).toEqual(held);
  });
});
