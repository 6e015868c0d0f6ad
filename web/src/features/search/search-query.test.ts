import { describe, expect, it } from '@jest/globals';
import { SEARCH_TYPES } from './result.ts';
import { parseSearchQuery, searchedTypes } from './search-query.ts';

describe('parseSearchQuery', () => {
  it.each([
    ['budget', 'budget', undefined],
    ['type:task budget', 'budget', 'task'],
    ['budget  TYPE:People plan', 'budget plan', 'person'],
    ['type:task type:meetings', '', 'meeting'],
    ['type:invoice budget', 'type:invoice budget', undefined],
    ['prototype:task', 'prototype:task', undefined],
    ['type:', 'type:', undefined],
  ])('splits %j', (query, text, type) => {
    expect(parseSearchQuery(query)).toEqual({ text, type });
  });
});

describe('searchedTypes', () => {
  it('are the type of the query, those of an operator that only messages have, or all', () => {
    expect(searchedTypes(parseSearchQuery('type:task plan'))).toEqual(['task']);
    expect(searchedTypes(parseSearchQuery('has:file plan'))).toEqual(['message']);
    expect(searchedTypes(parseSearchQuery('from:ada plan'))).toEqual(SEARCH_TYPES);
  });
});
