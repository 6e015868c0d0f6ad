import { describe, expect, it } from '@jest/globals';
import { containsTerms, markTerms, parseTextQuery, type TextQuery } from '../src/text/text-query.ts';

const parse = (query: string): TextQuery => {
  const parsed = parseTextQuery(query);
  if (!parsed) throw new Error(`Query without words: ${query}`);
  return parsed;
};

describe('parseTextQuery', () => {
  it('returns words, phrases, and exclusions as strings of search texts', () => {
    expect(parse('Café plan "site visit" -draft')).toMatchObject({
      text: 'Café plan site visit',
      needles: ['cafe', 'plan', 'site', 'visit', ' site visit'],
      excluded: [' draft'],
    });
  });

  it.each(['', '  ', '?!', '-draft', '"…"'])('matches nothing for %j', (query) => {
    expect(parseTextQuery(query)).toBeUndefined();
  });

  it('returns operators apart from the words', () => {
    const { needles, filters } = parse('by:ada budget -in:portal before:2026-01-31');
    expect(needles).toEqual(['budget']);
    expect(filters).toMatchObject([
      { kind: 'from', value: 'ada', isExcluded: false },
      { kind: 'in', value: 'portal', isExcluded: true },
      { kind: 'before', date: '2026-01-31', isExcluded: false },
    ]);
  });

  it('returns operators without words, too', () => {
    const { needles, excluded, filters } = parse('from:ada ?! -draft');
    expect({ needles, excluded, operators: filters.map(({ kind }) => kind) }).toEqual({
      needles: [],
      excluded: [' draft'],
      operators: ['from'],
    });
    expect(containsTerms('Any text', parse('from:ada'))).toBe(true);
    expect(markTerms('Any text', parse('from:ada'))).toEqual([{ text: 'Any text', match: false }]);
  });

  it('keeps an unknown operator as words', () => {
    expect(parse('due:friday').needles).toEqual(['due', 'friday']);
  });
});

describe('markTerms', () => {
  const mark = (text: string, query: string) =>
    markTerms(text, parse(query))
      .map((part) => (part.match ? `[${part.text}]` : part.text))
      .join('');

  it.each([
    ['Quarterly report', 'port', 'Quarterly re[port]'],
    ['Straße\nnach Nguyễn', 'strasse nguyen', '[Straße] nach [Nguyễn]'],
    ['שָׁלוֹם עולם', 'שלום', '[שָׁלוֹם] עולם'],
    ['全文検索の機能', '検索', '全文[検索]の機能'],
    ['a plan at sea', 'plan a', '[a] [plan] [a]t sea'],
    ['nothing here', 'other', 'nothing here'],
  ])('marks in %j the parts that match %j', (text, query, expected) => {
    expect(mark(text, query)).toBe(expected);
  });
});

describe('the texts of a response', () => {
  const isMarked = (text: string, query: TextQuery) => markTerms(text, query).some(({ match }) => match);
  const filler = (length: number) => 'lorem '.repeat(length / 6);

  it('are read up to the first match', () => {
    const query = parse('budget');
    const text = `Budget ${filler(6_000)}`;
    expect(Array.from({ length: 50 }, () => isMarked(text, query))).toEqual(Array(50).fill(true));
  });

  it('are not marked once 30,000 characters were read, because that would block other requests', () => {
    const query = parse('budget');
    const texts = Array.from({ length: 10 }, (_, index) => `${index} ${filler(6_000)} budget`);
    expect(texts.map((text) => isMarked(text, query))).toEqual([...Array(5).fill(true), ...Array(5).fill(false)]);
    expect(markTerms(texts[9] ?? '', query)[0]?.text).toMatch(/^9 lorem/);
  });
});

describe('containsTerms', () => {
  it('is true if a text has every word of a query', () => {
    expect(containsTerms('Budget of the harbor', parse('harb bud'))).toBe(true);
    expect(containsTerms('Budget of the harbor', parse('budget bridge'))).toBe(false);
  });
});
