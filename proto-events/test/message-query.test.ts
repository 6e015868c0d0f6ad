import { describe, expect, it } from '@jest/globals';
import { type Filter, formatFilter, parseMessageQuery } from '../src/text/message-query.ts';
import { matchesTexts } from '../src/text/message-terms.ts';

const text = (value: string) => ({ kind: 'text', text: value, isQuoted: false });
const phrase = (value: string) => ({ kind: 'text', text: value, isQuoted: true });
const not = (filter: object) => ({ ...filter, isExcluded: true });
const ID = 'a'.repeat(24);

describe('a query of messages', () => {
  it.each<[string, object[]]>([
    ['', []],
    ['   ', []],
    ['budget  plan', [text('budget'), text('plan')]],
    ['"quarterly budget" plan', [phrase('quarterly budget'), text('plan')]],
    ['“quarterly budget”', [phrase('quarterly budget')]],
    ['„Haushalt 2026“', [phrase('Haushalt 2026')]],
    ['"quarterly bud', [text('quarterly'), text('bud')]],
    ['plan "', [text('plan')]],
    ['""', []],
    ['say"hi there"', [text('say'), phrase('hi there')]],
    ['-draft', [not(text('draft'))]],
    ['-"first draft"', [not(phrase('first draft'))]],
    ['-"first', [not(text('first'))]],
    ['e-mail', [text('e-mail')]],
    ['from:me', [{ kind: 'from', value: 'me' }]],
    ['From:@ann', [{ kind: 'from', value: '@ann' }]],
    ['from:"Ann Lee" hi', [{ kind: 'from', value: 'Ann Lee' }, text('hi')]],
    [`from:${ID}`, [{ kind: 'from', value: ID }]],
    ['-from:me', [not({ kind: 'from', value: 'me' })]],
    ['in:#design', [{ kind: 'in', value: '#design' }]],
    ['in:"design team', [{ kind: 'in', value: 'design' }, text('team')]],
    ['before:2026-03-01', [{ kind: 'before', date: '2026-03-01' }]],
    ['after:2024-02-29', [{ kind: 'after', date: '2024-02-29' }]],
    ['on:2026-02-30', [text('on:2026-02-30')]],
    ['on:yesterday', [text('on:yesterday')]],
    ['before:0026-01-01', [text('before:0026-01-01')]],
    [
      'has:FILE has:link',
      [
        { kind: 'has', value: 'file' },
        { kind: 'has', value: 'link' },
      ],
    ],
    ['has:dog', [text('has:dog')]],
    ['-has:reaction', [not({ kind: 'has', value: 'reaction' })]],
    ['is:saved is:thread is:pinned', ['saved', 'thread', 'pinned'].map((value) => ({ kind: 'is', value }))],
    ['https://example.com/a:b?c=d', [text('https://example.com/a:b?c=d')]],
    ['at 10:30', [text('at'), text('10:30')]],
    ['foo:bar', [text('foo:bar')]],
    ['login:me', [text('login:me')]],
    ['from:', [text('from:')]],
    ['in: design', [text('in:'), text('design')]],
    ['hôm nay từ:mai', [text('hôm'), text('nay'), text('từ:mai')]],
    ['שלום "עולם חדש"', [text('שלום'), phrase('עולם חדש')]],
    ['漢字検索 -東京', [text('漢字検索'), not(text('東京'))]],
  ])('is parsed: %j', (query, expected) => {
    expect(parseMessageQuery(query)).toEqual(
      expected.map((filter) => ({ isExcluded: false, ...filter, start: expect.any(Number), end: expect.any(Number) })),
    );
  });

  it('has the position of each part', () => {
    const query = 'plan  -from:"Ann Lee" "a b"';
    expect(parseMessageQuery(query).map(({ start, end }) => query.slice(start, end))).toEqual([
      'plan',
      '-from:"Ann Lee"',
      '"a b"',
    ]);
  });

  it.each<Filter>([
    { kind: 'from', value: 'Ann Lee' },
    { kind: 'in', value: '#design' },
    { kind: 'on', date: '2026-03-01' },
    { kind: 'text', text: 'two words', isQuoted: true },
  ])('can be written: %j', (filter) => {
    expect(parseMessageQuery(formatFilter(filter))).toMatchObject([filter]);
  });
});

describe('the texts of a message', () => {
  it.each<[string, string]>([
    ['The quarterly Budget', 'budg'],
    ['The quarterly Budget', 'budget quart'],
    ['The quarterly Budget', '"quarterly budget"'],
    ['Kế hoạch Đà Nẵng', 'da nang'],
    ['Straße', 'STRASSE'],
    ['Łódź', 'lodz'],
    ['שָׁלוֹם', 'שלום'],
    ['全文検索の機能', '検索'],
    ['全文検索の機能', '"検索の"'],
    ['See https://example.com/plan?x=1', 'https://example.com/pl'],
    ['Lunch at 10:30', '10:30'],
    ['The quarterly Budget', 'budget -draft'],
  ])('%j matches %j', (content, query) => {
    expect(matchesTexts([content], parseMessageQuery(query))).toBe(true);
  });

  it.each<[string, string]>([
    ['The quarterly Budget', 'udget'],
    ['The quarterly Budget', '"quarterly bud"'],
    ['The quarterly Budget', '"budget quarterly"'],
    ['The quarterly Budget', 'budget -quarter'],
    ['全文検索の機能', '索検'],
    ['Lunch at 10:45', '10:30'],
  ])('%j does not match %j', (content, query) => {
    expect(matchesTexts([content], parseMessageQuery(query))).toBe(false);
  });

  it('do not match a phrase over two of them', () => {
    expect(matchesTexts(['The quarterly', 'budget.pdf'], parseMessageQuery('"quarterly budget"'))).toBe(false);
    expect(matchesTexts(['The quarterly', 'budget.pdf'], parseMessageQuery('quarterly budget.pdf'))).toBe(true);
  });
});
