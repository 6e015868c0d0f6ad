import { describe, expect, it } from '@jest/globals';
import { agendaTimes, moved } from './agenda-times.ts';

describe('the times of an agenda', () => {
  it('follow from the start and from the minutes of what comes before', () => {
    const start = '2026-11-20T09:30:00.000Z';
    expect(agendaTimes(start, [{ minutes: 5 }, { minutes: 25 }, { minutes: null }, { minutes: 40 }])).toEqual({
      starts: [start, '2026-11-20T09:35:00.000Z', '2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.000Z'],
      end: '2026-11-20T10:40:00.000Z',
    });
    expect(agendaTimes(start, [])).toEqual({ starts: [], end: start });
  });
});

describe('moving an item', () => {
  it('puts it where it is wanted, and nowhere beyond the ends', () => {
    expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
    expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c']);
    expect(moved(['a', 'b', 'c'], 2, 3)).toEqual(['a', 'b', 'c']);
  });
});
