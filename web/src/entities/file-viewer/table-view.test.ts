import { describe, expect, it } from '@jest/globals';
import { parseTable } from './table-view.tsx';

describe('parseTable', () => {
  it.each([
    ['cells separated by commas', 'name,size\n"Smith, J",2\n'],
    ['cells separated by semicolons after a byte order mark', '\uFEFFname;size\r\nSmith, J;2\r\n'],
    ['cells separated by tabs', 'name\tsize\nSmith, J\t2'],
  ])('parses %s', (_label, text) => {
    expect(parseTable(text)).toEqual({ head: ['name', 'size'], rows: [['Smith, J', '2']], isTruncated: false });
  });

  it('limits rows and columns', () => {
    const longTable = parseTable(Array.from({ length: 5_000 }, (_, index) => `${index},x`).join('\n'));
    expect(longTable.rows).toHaveLength(1_000);
    expect(longTable).toMatchObject({ head: ['0', 'x'], isTruncated: true });
    expect(parseTable(Array.from({ length: 1_001 }, (_, index) => `${index},x`).join('\n')).isTruncated).toBe(false);
    const wideTable = parseTable(`${'a,'.repeat(500)}a\n${'1,'.repeat(500)}1`);
    expect(wideTable.head).toHaveLength(100);
    expect(wideTable.isTruncated).toBe(true);
  });

  it('keeps short rows and an unterminated quoted cell', () => {
    expect(parseTable('a,b\n1\n"2')).toEqual({ head: ['a', 'b'], rows: [['1'], ['2']], isTruncated: false });
  });
});
