import { describe, expect, it } from '@jest/globals';
import { isSameValue, mergeCommaList, mergeValue } from './field-merge.ts';

const row = (title: string, minutes = 10) => ({ title, minutes, who: '' });

describe('mergeValue', () => {
  it('keeps the additions of both sides and applies the removals of both sides', () => {
    const merged = mergeValue({ base: ['a', 'b', 'c'], mine: ['a', 'c', 'm'], theirs: ['b', 'c', 't'] });
    expect(merged.isConflict).toBe(false);
    expect([...merged.value].sort()).toEqual(['c', 'm', 't']);
  });

  it('adds an item once when both sides added it', () => {
    expect(mergeValue({ base: [], mine: ['a', 'm'], theirs: ['a', 't'] }).value.toSorted()).toEqual(['a', 'm', 't']);
  });

  it('takes the side that changed a single value', () => {
    expect(mergeValue({ base: 'x', mine: 'y', theirs: 'x' })).toEqual({ value: 'y', isConflict: false });
    expect(mergeValue({ base: 'x', mine: 'x', theirs: 'z' })).toEqual({ value: 'z', isConflict: false });
  });

  it('reports a conflict if both sides changed a single value differently', () => {
    expect(mergeValue({ base: 1, mine: 2, theirs: 3 })).toEqual({ value: 2, isConflict: true });
    expect(mergeValue<number | null>({ base: 1, mine: null, theirs: 3 }).isConflict).toBe(true);
  });

  it('reports no conflict if the server trimmed or normalized the sent value', () => {
    const merged = mergeValue({ base: '', mine: ' Cafe\u0301 ', theirs: 'Caf\u00e9' });
    expect(merged).toEqual({ value: 'Caf\u00e9', isConflict: false });
  });

  it('keeps rows where they were inserted', () => {
    const merged = mergeValue({
      base: [row('A'), row('B')],
      mine: [row('A'), row('M'), row('B')],
      theirs: [row('A'), row('B'), row('T')],
    });
    expect(merged).toEqual({ value: [row('A'), row('M'), row('B'), row('T')], isConflict: false });
  });

  it('keeps rows in the order of one side and appends rows added by the other', () => {
    const merged = mergeValue({
      base: [row('A'), row('B')],
      mine: [row('B'), row('A')],
      theirs: [row('A'), row('B'), row('T')],
    });
    expect(merged).toEqual({ value: [row('B'), row('A'), row('T')], isConflict: false });
  });

  it('reports a conflict if both sides changed the same row', () => {
    const sides = { base: [row('A'), row('B')], mine: [row('A', 20), row('B')], theirs: [row('A', 30), row('B')] };
    expect(mergeValue(sides).isConflict).toBe(true);
    expect(mergeValue({ ...sides, theirs: [row('A'), row('B', 30)] })).toEqual({
      value: [row('A', 20), row('B', 30)],
      isConflict: false,
    });
  });
});

it('mergeCommaList merges typed lists by their items', () => {
  expect(mergeCommaList({ base: 'plan', mine: 'plan,  spring', theirs: 'plan, autumn' })).toEqual({
    value: 'plan, spring, autumn',
    isConflict: false,
  });
});

it('isSameValue ignores the order of ids, but not of rows', () => {
  expect(isSameValue(['a', 'b'], ['b', 'a'])).toBe(true);
  expect(isSameValue([row('A'), row('B')], [row('B'), row('A')])).toBe(false);
});
