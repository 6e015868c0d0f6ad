import { describe, expect, it } from '@jest/globals';
import { findLinks } from '../src/links.ts';

/** A text with each of its links in ⟦brackets⟧. */
const CASES = [
  '⟦https://en.wikipedia.org/wiki/Mercury_(planet)⟧',
  '(see ⟦https://en.wikipedia.org/wiki/Mercury_(planet)⟧)',
  '[⟦https://example.com/a[1]⟧]',
  '{⟦https://example.com/a⟧}',
  '(⟦https://example.com/a⟧)b',
  '(⟦https://example.com/a(b)⟧].',
  '访问⟦https://example.com/路径⟧。谢谢',
  '「⟦https://example.com/路径⟧」と',
  '⟦https://ja.example/東京（曖昧）⟧、次',
  '⟦https://example.com/a⟧，b；⟦https://example.com/c⟧！',
  '«⟦https://example.com/a⟧»',
  '“⟦https://example.com/a⟧”',
  '⟦https://example.com/l’eau⟧’',
  "⟦https://example.com/it's⟧'",
  '⟦https://example.com/a⟧، ثم',
  '⟦https://example.com/पथ⟧।',
  '⟦https://example.com/a⟧… Or',
  '⟦https://example.com/?q=a,b;c:d!e?f⟧?!',
  '**⟦https://example.com/a*b_c⟧**',
  '<⟦https://example.com/a⟧>',
  '"⟦https://example.com/a⟧"',
  '`⟦https://example.com/a⟧`',
  '|⟦https://example.com/a⟧|⟦https://example.com/b⟧|',
  '⟦HTTPS://Example.com⟧\n⟦http://example.com:8080/#/a⟧',
  '⟦https://example.com/a-⟧ ⟦https://example.com/b/⟧ ⟦https://example.com/c=⟧',
  '⟦https://example.com/a⟧\u200bb',
  '⟦https://example.com/می\u200cخواهم⟧',
  '⟦https://example.com/🎉⟧!',
  '⟦https://example.com/a(b⟧ c',
  'https:// http://. https://( ftp://example.com',
];

const marked = (text: string) =>
  findLinks(text).reduceRight(
    (marks, { at, href }) => `${marks.slice(0, at)}⟦${href}⟧${marks.slice(at + href.length)}`,
    text,
  );

describe('the links of a text', () => {
  it.each(CASES)('end where the address ends: %s', (expected) => {
    expect(marked(expected.replace(/[⟦⟧]/g, ''))).toBe(expected);
  });

  it('are found in time proportional to the text', () => {
    const timeOf = (length: number) => {
      const started = performance.now();
      for (const tail of ['.', '(', ')', '()', '’', 'http://', 'http://%', '。', '\u0301']) {
        findLinks(`http://a${tail.repeat(length)}x`);
        findLinks(`http://a${tail}`.repeat(length));
      }
      return performance.now() - started;
    };
    timeOf(2_000);
    expect(timeOf(32_000) / timeOf(2_000)).toBeLessThan(100);
  });
});
