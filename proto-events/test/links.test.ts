import { describe, expect, it } from '@jest/globals';
import { findLinks, findWebAddresses } from '../src/links.ts';

/** Each link is in ⟦brackets⟧. */
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
  '⟦www.example.org⟧, (⟦www.example.org/a_(b)⟧) **⟦www.example.org⟧** ⟦WWW.Example.org:80/?q=1⟧.',
  '访问⟦www.example.org⟧。 ⟦www.bücher.example/路径⟧',
  'awww.example.org x.www.example.org www. www.example www..org www.a_b.org www.example.a_b',
  '⟦lena@example.org⟧, (⟦lena.b+c@mail.example.org⟧). <⟦lena@example.org⟧> **⟦lena@example.org⟧**',
  'E-mail:⟦lena@example.org⟧ ⟦mailto:lena@example.org⟧ ⟦www.lena@example.org⟧ 联系⟦lena@example.org⟧谢谢',
  'lena@example @example.org lena@ ssh://git@example.org a@b@c.org lena@example.org_ lena@-a.org',
  '⟦https://lena@example.org/a⟧ ⟦https://example.org/@lena@example.org⟧',
  '⟦https://a.example/?q=a⟧&hl; ⟦https://a.example/?q=a⟧&amp;&copy; ⟦https://a.example/b⟧.&amp;. ⟦www.a.example/b⟧&#39;',
  '⟦https://a.example/?q=a&hl;b⟧ ⟦https://a.example/?q=a;b⟧; ⟦https://a.example/a&b⟧',
];

const markLinks = (text: string) =>
  findLinks(text).reduceRight(
    (marks, { at, text: link }) => `${marks.slice(0, at)}⟦${link}⟧${marks.slice(at + link.length)}`,
    text,
  );

describe('findLinks', () => {
  it.each(CASES)('ends a link where the address ends: %s', (expected) => {
    expect(markLinks(expected.replace(/[⟦⟧]/g, ''))).toBe(expected);
  });

  it('returns link targets with a scheme', () => {
    const hrefs = findLinks('www.example.org Lena@Bücher.example a%b+c@example.org https://a.example').map(
      ({ href }) => href,
    );
    expect(hrefs).toEqual([
      'http://www.example.org',
      'mailto:lena@xn--bcher-kva.example',
      'mailto:b+c@example.org',
      'https://a.example',
    ]);
  });

  it('findWebAddresses returns distinct web addresses without email addresses', () => {
    expect(findWebAddresses('www.a.example lena@example.org https://b.example www.a.example')).toEqual([
      'http://www.a.example',
      'https://b.example',
    ]);
  });

  it('reads a limited number of email addresses', () => {
    const links = findLinks(`${'a@b.org '.repeat(1_000)}https://c.org`);
    expect(links).toHaveLength(201);
    expect(links.at(-1)?.text).toBe('https://c.org');
  });

  it('takes linear time', () => {
    const measureMs = (length: number) => {
      const startedAt = performance.now();
      for (const tail of [
        '.',
        '(',
        ')',
        '()',
        '’',
        'http://',
        'http://%',
        '。',
        '\u0301',
        '&a;',
        '&',
        'www.',
        '(www.a',
        'a@',
        '@',
      ]) {
        findLinks(`http://a${tail.repeat(length)}x`);
        findLinks(`http://a${tail}`.repeat(length));
        findLinks(`www.a.b${tail}`.repeat(length));
        findLinks(`a@b.c${tail}`.repeat(length));
      }
      return performance.now() - startedAt;
    };
    measureMs(2_000);
    expect(measureMs(32_000) / measureMs(2_000)).toBeLessThan(100);
  });
});
