import { describe, expect, it } from '@jest/globals';
import { shortestCpuTime } from '#test/shortest-cpu-time.ts';
import { isParsedQuickly } from './parse-cost.ts';
import { parseMessage } from './parse-message.ts';

const LENGTH = 10_000;
const fill = (pattern: string, length = LENGTH) => pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);

const SLOW_PATTERNS = [
  ['quotes', '> '],
  ['quotes without spaces', '>'],
  ['quoted lines', '>>>>> a\n'],
  ['brackets', '['],
  ['open brackets', '[a'],
  ['open links', '[a]('],
  ['open titles', '[a](b "'],
  ['links', '[a](b)'],
  ['emphasis', '*a*'],
  ['open emphasis', '*a **b '],
  ['emphasis of both kinds', '_a*b'],
  ['strong between letters', 'a**b'],
  ['open strikethrough', '~~a'],
  ['backticks', '`a'],
  ['list items', '- a\n'],
  ['rows of a table', '|**a**|b|\n'],
  ['escapes', '\\*'],
  ['character references', '&amp;'],
  ['lines', 'a\n'],
  ['fences', '```\na\n'],
] as const;

const measure = (text: string) => shortestCpuTime(() => parseMessage(text));

describe('the time to parse a message', () => {
  it.each(SLOW_PATTERNS)('leaves 10,000 characters of %s to a worker', (_name, pattern) => {
    expect(isParsedQuickly(fill(pattern))).toBe(false);
  });

  /** The text of a book that takes as long as the limit allows. */
  const plainTime = measure(fill('The quick brown fox jumps over the lazy dog. ', 9_900));

  it.each(SLOW_PATTERNS)('is at most six times that of plain text for %s that the page parses', (_name, pattern) => {
    let length = LENGTH;
    while (!isParsedQuickly(fill(pattern, length))) length -= 20;
    expect(measure(fill(pattern, length)) / plainTime).toBeLessThan(6);
  });

  it('is spent by the page for what people write', () => {
    const list = '**Agenda**\n\n- [plan](https://example.com/plan)\n- `release` of _Friday_\n\n> quoted\n';
    expect(isParsedQuickly(fill(list, 1_000))).toBe(true);
    expect(isParsedQuickly(fill('Words of **people** and more of them. ', 3_000))).toBe(true);
  });
});

describe('parseMessage', () => {
  it('rejects a tree that is too deep or too large to be displayed', () => {
    expect(parseMessage('>'.repeat(30))).not.toBeNull();
    expect(parseMessage('>'.repeat(100))).toBeNull();
    expect(parseMessage('>'.repeat(LENGTH))).toBeNull();
    expect(parseMessage(fill('*a* b '))).toBeNull();
    expect(parseMessage('**a '.repeat(50) + ' b**'.repeat(50))).toBeNull();
  });

  it('finds neither HTML, images, definitions, nor code by indentation', () => {
    const types = JSON.stringify(parseMessage('    a\n\n<b>c</b> ![d](e) <https://f.example>\n\n[g]: h\n\ni\n---'));
    expect(types).not.toMatch(/"type":"(?:html|image|definition|code|heading)"/);
  });
});
