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
