import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PATTERN } from '#lib/time/day.ts';
import { parseQuickAdd } from './parse-quick-add.ts';

const PROJECTS = [
  { _id: 'a', name: 'Customer Portal' },
  { _id: 'b', name: 'İstanbul' },
  { _id: 'c', name: 'ﬁ 1' },
  { _id: 'd', name: '' },
];

const day = fc
  .date({ min: new Date(2000, 0, 1), max: new Date(2099, 11, 31), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const word = fc.constantFrom(
  ...[
    'report',
    'on',
    'by',
    'in',
    '3',
    'a',
    'days',
    'weeks',
    'next',
    'this',
    'friday',
    'sun',
    'may',
    '31',
    'feb',
    '2028',
  ],
  ...[
    'today',
    '#customer',
    '#Customer',
    'Portal',
    '#i',
    '#',
    '!',
    '!h',
    '!urgent',
    '31.2.',
    '2026-02-30',
    '5/6',
    'end',
    'of',
  ],
);
const line = fc.oneof(
  fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
  fc
    .array(fc.oneof(word, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 8 })
    .map((words) => words.join('  ')),
  fc.string({ unit: 'binary' }),
);
const order = fc.constantFrom('month-first' as const, 'day-first' as const, 'year-first' as const);

it('every line is read without an error, loses nothing, and has a title of the words that were not understood', () => {
  fc.assert(
    fc.property(line, day, order, (text, today, dateOrder) => {
      const parsed = parseQuickAdd(text, { today, order: dateOrder, projects: PROJECTS });
      expect(parsed.parts.map((part) => part.text).join('')).toBe(text);
      const rest = parsed.parts.filter(({ kind }) => kind === 'text').map((part) => part.text);
      expect(parsed.title.split(' ').filter(Boolean)).toEqual(
        rest.flatMap((part) => part.split(/\s+/)).filter(Boolean),
      );
      const count = (kind: string) => parsed.parts.filter((part) => part.kind === kind).length;
      expect([count('date'), count('project'), count('priority')]).toEqual(
        [parsed.dueDate, parsed.project, parsed.priority].map((value) => Number(value !== undefined)),
      );
      if (parsed.dueDate !== undefined) expect(parsed.dueDate).toMatch(PATTERN);
    }),
    { numRuns: 2_000 },
  );
});

it('a line without signs and dates is its title', () => {
  const plain = fc.array(fc.constantFrom('write', 'the', 'Report', 'für', '報告', 'to', 'Ada'), { minLength: 1 });
  fc.assert(
    fc.property(plain, day, (words, today) => {
      const title = words.join(' ');
      const parsed = parseQuickAdd(title, { today, order: 'month-first', projects: PROJECTS });
      expect(parsed).toMatchObject({ title, parts: [{ kind: 'text', text: title }] });
    }),
  );
});
