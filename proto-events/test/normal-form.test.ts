import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { foldText, uniqueKey } from '../src/text/fold.ts';
import { toNormalForm } from '../src/text/normal-form.ts';
import { normalizeText } from '../src/text/normalize.ts';

const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;
const forms = fc.constantFrom(...FORMS);

/**
 * Marks of several classes, marks of class 0, one that decomposes into two, letters that become marks, and letters
 * that end in marks.
 */
const PARTS = [
  'a',
  'é',
  'ᾂ',
  '각',
  ' ',
  '\u0345',
  '\u0334',
  '\u0301',
  '\u0344',
  '\uff9e',
  '\uff9f',
  '\u034f',
  '\u0903',
  '𝅘𝅥',
];
const textWithMarks = fc
  .array(fc.tuple(fc.constantFrom(...PARTS), fc.integer({ min: 1, max: 40 })), { maxLength: 8 })
  .map((runs) => runs.map(([part, count]) => part.repeat(count)).join(''));

const isReordered = (a: string, b: string) => (a + b).normalize('NFD') !== a + b;
const isNonStarter = (character: string) =>
  isReordered(character, '\u0334') || isReordered('\u0345', character) || character === '\u0345';
const longestRun = (text: string) =>
  [...text.normalize('NFKD')].reduce(
    ({ run, longest }, character) => {
      const next = isNonStarter(character) ? run + 1 : 0;
      return { run: next, longest: Math.max(longest, next) };
    },
    { run: 0, longest: 0 },
  ).longest;

const withoutJoiners = (text: string) => text.replaceAll('\u034f', '');

describe('toNormalForm', () => {
  it("equals Unicode's for up to 30 consecutive marks", () => {
    const limit = `a${'\u0345'.repeat(15)}${'\u0334'.repeat(15)}`;
    for (const text of [limit, `${limit}b${limit}`, 'Dvořák', '가각', 'ﾞ'.repeat(30), '👩‍👩‍👧']) {
      for (const form of FORMS) expect(toNormalForm(text, form)).toBe(text.normalize(form));
    }
    expect(toNormalForm(`${limit}\u0301`, 'NFD')).toBe(`${limit.normalize('NFD')}\u034f\u0301`);
  });

  it('has at most 30 consecutive non-starters in NFKD, keeps every character, and is idempotent', () => {
    fc.assert(
      fc.property(textWithMarks, forms, (text, form) => {
        const normal = toNormalForm(text, form);
        expect(longestRun(normal)).toBeLessThanOrEqual(30);
        expect(toNormalForm(normal, form)).toBe(normal);
        expect([...withoutJoiners(normal).normalize('NFD')].toSorted()).toEqual(
          [...withoutJoiners(text).normalize(form).normalize('NFD')].toSorted(),
        );
      }),
    );
  });

  it('takes linear time for any marks', () => {
    const measureMs = (length: number) => {
      const startedAt = performance.now();
      for (const [first, second] of [
        ['\u0345', '\u0334'],
        ['\u0345', '\uff9e'],
        ['\uff9f', '\u0334'],
        ['\u0344', '\u0327'],
        ['\u{1d165}', '\u{1d167}'],
      ] as const) {
        const text = `a${first.repeat(length)}${second.repeat(length)}`;
        for (const form of FORMS) toNormalForm(text, form);
        normalizeText(text);
        foldText(text);
        uniqueKey(text);
      }
      return performance.now() - startedAt;
    };
    measureMs(2_000);
    expect(measureMs(32_000) / measureMs(2_000)).toBeLessThan(100);
  });
});

it('foldText takes no longer for many distinct characters than for one', () => {
  const listCharacters = (plane: number) =>
    Array.from({ length: 20_000 }, (_, index) => String.fromCodePoint(plane * 0x10000 + index)).join('');
  const measureMs = (text: string) => {
    const startedAt = performance.now();
    foldText(text);
    return performance.now() - startedAt;
  };
  const repeated = '𠀀'.repeat(20_000);
  measureMs(repeated);
  const fastest = Math.min(...Array.from({ length: 5 }, () => measureMs(repeated)));
  // Ideographs, unassigned planes, and private use: none is looked up individually.
  for (const plane of [2, 5, 9, 15]) expect(measureMs(listCharacters(plane))).toBeLessThan(10 * fastest + 5);
});
