import { describe, expect, it } from '@jest/globals';
import { agendaTimes, moveItem } from './agenda-times.ts';

describe('agendaTimes', () => {
  it('adds the minutes of earlier items to the start time', () => {
    const start = '2026-11-20T09:30:00.000Z';
    expect(agendaTimes(start, [{ minutes: 5 }, { minutes: 25 }, { minutes: null }, { minutes: 40 }])).toEqual({
      starts: [start, '2026-11-20T09:35:00.000Z', '2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.000Z'],
      end: '2026-11-20T10:40:00.000Z',
    });
    expect(agendaTimes(start, [])).toEqual({ starts: [], end: start });
  });
});

describe('moveItem', () => {
  it('moves an item to a valid index, and leaves the list unchanged otherwise', () => {
    expect(moveItem(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
    expect(moveItem(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
    expect(moveItem(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c']);
    expect(moveItem(['a', 'b', 'c'], 2, 3)).toEqual(['a', 'b', 'c']);
  });
});
