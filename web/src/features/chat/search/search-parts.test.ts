import { describe, expect, it } from '@jest/globals';
import { formatPart, joinQuery, lastToken, splitQuery } from './search-parts.ts';

const split = (query: string) => {
  const { filters, text } = splitQuery(query);
  return { filters: filters.map(formatPart), text };
};

describe('a query', () => {
  it.each([
    ['', [], ''],
    ['budget', [], 'budget'],
    ['from:me budget  -has:file "two words"', ['from:me', '-has:file'], 'budget "two words"'],
    ['in:"design team" plan', ['in:"design team"'], 'plan'],
    ['https://example.org at 10:30', [], 'https://example.org at 10:30'],
  ])('is shown as filters and text: %j', (query, filters, text) => {
    expect(split(query)).toEqual({ filters, text });
  });

  it('is written with its filters first', () => {
    const { filters, text } = splitQuery('plan from:me -draft');
    expect(joinQuery(filters, text)).toBe('from:me plan -draft');
    expect(joinQuery([], '  ')).toBe('');
  });
});

describe('what is being typed', () => {
  it.each([
    ['', { sign: '', token: '', start: 0 }],
    ['budget fr', { sign: '', token: 'fr', start: 7 }],
    ['budget -from:', { sign: '-', token: 'from:', start: 7 }],
    ['budget ', { sign: '', token: '', start: 7 }],
  ])('is the end of %j', (text, expected) => {
    expect(lastToken(text)).toEqual(expected);
  });
});
