import { createTermLocator } from '@atrium/proto-events/text/locate-terms';
import { parseMessageQuery } from '@atrium/proto-events/text/message-query';
import { shortestCpuTime } from '@atrium/test-kit/shortest-cpu-time';
import { describe, expect, it } from '@jest/globals';
import { makeSnippet } from './snippet.ts';

const ANN = { _id: 'a'.repeat(24), firstName: 'Ann', lastName: 'Lee' };

function mark(content: string, query: string): string {
  const mentions = { users: [ANN], here: false, everyone: false } as unknown as Parameters<
    typeof makeSnippet
  >[0]['mentions'];
  return makeSnippet({ content, mentions }, parseMessageQuery(query), createTermLocator())
    .map(({ text, match }) => (match ? `[${text}]` : text))
    .join('');
}

describe('the snippet of a message', () => {
  it.each([
    ['The quarterly Budget', 'budg', 'The quarterly [Budget]'],
    ['The quarterly Budget', '"quarterly budget"', 'The [quarterly Budget]'],
    ['Straße\n\nund Łódź', 'lodz strasse', '[Straße]\nund [Łódź]'],
    ['全文検索の機能', '検索', '全文[検索]の機能'],
    ['Ask <@aaaaaaaaaaaaaaaaaaaaaaaa> or <@here>', 'ask', '[Ask] @Ann Lee or @here'],
    ['no such word', 'from:me', 'no such word'],
    ['kept words', 'kept -other', '[kept] words'],
    ['', 'report', ''],
  ])('of %j for %j is %j', (content, query, expected) => {
    expect(mark(content, query)).toBe(expected);
  });

  it('is the part around the first match, between words', () => {
    const snippet = mark(`${'before '.repeat(100)}needle ${'after '.repeat(100)}`, 'needle');
    expect(snippet).toMatch(/^… (before )+\[needle\]( after)+ …$/);
    expect(snippet.length).toBeLessThan(260);
  });

  it('does not split a character of a text without spaces', () => {
    const snippet = mark('👩‍👩‍👧'.repeat(100), 'nothing');
    expect(snippet.replace(/ …$/, '').replaceAll('👩‍👩‍👧', '')).toBe('');
  });

  it('marks every match, also of words that are in the query several times', () => {
    expect(mark('a plan, another plan', 'plan plan a')).toBe('[a] [plan], [another] [plan]');
  });

  it.each([
    ['many equal words', 'a '.repeat(5_000), 'a '.repeat(250)],
    ['many words', 'aa '.repeat(3_333), Array.from({ length: 160 }, (_, n) => `a${n}`).join(' ')],
  ])('takes little longer for a query of %s', async (_name, content, query) => {
    const time = (searched: string) => shortestCpuTime(() => mark(content, searched));
    expect((await time(query)) / (await time('nothing'))).toBeLessThan(20);
  });
});
