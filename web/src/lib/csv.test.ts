import { expect, it } from '@jest/globals';
import { toCsv } from './csv.ts';

it('toCsv has a byte order mark, escapes formulas, and leaves null empty', async () => {
  const csv = await toCsv(
    ['Email', 'Name', 'Tasks'],
    [
      ['a@example.org', '=HYPERLINK("x")', null],
      ['b', '+1', 0],
    ],
  );
  expect(csv.split('\r\n')).toEqual(['\uFEFFEmail,Name,Tasks', `a@example.org,"'=HYPERLINK(""x"")",`, `b,"'+1",0`]);
});

it.each(['=', '+', '-', '@', '\t', '\r'])(
  'toCsv escapes a cell with line breaks that starts with %j',
  async (start) => {
    const [header, ...rows] = [`${start}1\n2`, `${start}3\n4`, `${start}5\r\n6`];
    const csv = await toCsv(
      [header],
      rows.map((cell) => [cell]),
    );
    expect(csv).toBe(`\uFEFF${[header, ...rows].map((cell) => `"'${cell}"`).join('\r\n')}`);
  },
);
