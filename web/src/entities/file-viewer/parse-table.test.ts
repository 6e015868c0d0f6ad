import { describe, expect, it } from '@jest/globals';
import { parseTable } from './table-view.tsx';

describe('parseTable', () => {
  it.each([
    ['commas', 'name,size\n"Smith, J",2\n'],
    ['semicolons and a mark', '\uFEFFname;size\r\nSmith, J;2\r\n'],
    ['tabs', 'name\tsize\nSmith, J\t2'],
  ])('parses %s', (_what, text) => {
    expect(parseTable(text)).toEqual({ head: ['name', 'size'], rows: [['Smith, J', '2']], isTruncated: false });
  });

  it('limits rows and columns', () => {
    const long = parseTable(Array.from({ length: 5_000 }, (_, at) => `${at},x`).join('\n'));
    expect(long.rows).toHaveLength(1_000);
    expect(long).toMatchObject({ head: ['0', 'x'], isTruncated: true });
    expect(parseTable(Array.from({ length: 1_001 }, (_, at) => `${at},x`).join('\n')).isTruncated).toBe(false);
    const wide = parseTable(`${'a,'.repeat(500)}a\n${'1,'.repeat(500)}1`);
    expect(wide.head).toHaveLength(100);
    expect(wide.isTruncated).toBe(true);
  });

  it('keeps short rows and an unterminated quoted cell', () => {
    expect(parseTable('a,b\n1\n"2')).toEqual({ head: ['a', 'b'], rows: [['1'], ['2']], isTruncated: false });
  });
});
