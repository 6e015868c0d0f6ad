import { describe, expect, it } from '@jest/globals';
import { attachmentDisposition } from '../objects/download-link.ts';
import { cleanFileName, visibleName } from './file-name.ts';

const NON_JOINER = '\u200c';
const JOINER = '\u200d';

describe('visibleName with joiners', () => {
  it.each([
    ['Persian words', `می${NON_JOINER}خواهم گزارش${NON_JOINER}ها`],
    ['a Persian abbreviation', `ه${JOINER}`],
    ['an Arabic letter with a mark', `بِ${NON_JOINER}ه`],
    ['Syriac', `ܒ${NON_JOINER}ܒ`],
    ['Mongolian', `ᠠ${NON_JOINER}ᠠ`],
    ['Devanagari conjuncts', `क्${JOINER}ष and क्${NON_JOINER}ष`],
    ['Bengali ya-phalaa', `র${JOINER}্য`],
    ['Malayalam chillu', `ന്${JOINER}`],
    ['Sinhala', `ශ්${JOINER}ර`],
    ['a family', '👨\u200d👩\u200d👧\u200d👦'],
    ['a profession with a skin tone', '🧑🏽\u200d💻'],
    ['a presentation sequence', '🏳️\u200d🌈 ❤️\u200d🔥 👩🏿\u200d⚕️'],
    ['a flag of tag characters', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
  ])('keeps the joiners and tags of %s', (_label, name) => {
    expect(visibleName(name)).toBe(name);
    expect(cleanFileName(`${name}.txt`)).toBe(`${name}.txt`.normalize('NFC'));
    expect(attachmentDisposition(`${name}.txt`, 'txt')).toContain(
      `filename*=UTF-8''${encodeURIComponent(name.normalize('NFC'))}.txt`,
    );
  });

  it.each([
    ['between Latin letters', `pay${NON_JOINER}pal${JOINER}.txt`, 'paypal.txt'],
    ['at either end', `${JOINER}report${NON_JOINER}.pdf`, 'report.pdf'],
    ['within an extension', `plan.p${NON_JOINER}df`, 'plan.pdf'],
    ['next to a digit', `1${JOINER}2`, '12'],
    ['of a non-joiner at the end of a word', `می${NON_JOINER} خواهم`, 'می خواهم'],
    ['between an emoji and a letter', `👍${JOINER}a`, '👍a'],
    ['between Hebrew letters', `ש${NON_JOINER}ל`, 'של'],
    ['more than one in a row', `می${NON_JOINER}${NON_JOINER}خواهم`, `می${NON_JOINER}خواهم`],
  ])('removes joiners %s', (_label, name, clean) => {
    expect(visibleName(name)).toBe(clean);
  });
});

describe('cleanFileName with invisible characters', () => {
  it.each([
    '\u200e',
    '\u200f',
    '\u061c',
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
  ])('removes bidirectional controls: %j', (control) => {
    expect(cleanFileName(`invoice${control}fdp.exe`)).toBe('invoicefdp.exe');
  });

  it.each(['\u200b', '\u2060', '\ufeff', '\u00ad', '\u{e0001}', '\u{e0041}'])('removes %j', (invisible) => {
    expect(cleanFileName(`a${invisible}b.txt`)).toBe('ab.txt');
  });

  it.each(['\u0000', '\u007f', '\u0085', '\t', '\r\n', '\u2028', '\u2029', '\u001b', ' \u200b ', '\u3000'])(
    'replaces %j with one space',
    (character) => {
      expect(cleanFileName(`a${character}b.txt`)).toBe('a b.txt');
    },
  );

  it('uses the default name if none remain visible', () => {
    expect(cleanFileName('\u200d\u200c\u3164\u2800')).toBe('file');
  });

  it('leaves no trailing joiner when it truncates', () => {
    const longestName = `${'x'.repeat(248)}👩${JOINER}👩.txt`;
    expect(cleanFileName(longestName)).toBe(longestName);
    expect(cleanFileName(`x${longestName}`)).toBe(`${'x'.repeat(249)}.txt`);
  });
});
