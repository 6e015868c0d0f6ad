import { describe, expect, it } from '@jest/globals';
import { filterQuery, isFiltered, NO_FILTERS } from './project-filter-bar.tsx';

describe('tracker filters', () => {
  it('match the label on the card', () => {
    expect(filterQuery({ search: 'sea', status: 'planning', priority: 'high', health: 'at-risk' })).toEqual({
      search: 'sea',
      status: 'not-started,cancelled',
      priority: 'urgent,high',
      health: 'at-risk',
    });
    expect(isFiltered({ ...NO_FILTERS, priority: 'low' })).toBe(true);
    expect(isFiltered({ ...NO_FILTERS, health: 'none' })).toBe(true);
  });

  it.each(['all', '', 'sunny', 'constructor', '__proto__', 'toString'])('ignore %j in the URL', (text) => {
    const filters = { ...NO_FILTERS, status: text, priority: text, health: text };
    expect(filterQuery(filters)).toEqual({ search: '', status: '', priority: '', health: '' });
    expect(isFiltered(filters)).toBe(false);
  });
});
