import { describe, expect, it } from '@jest/globals';
import { cleanFileName, extensionOf } from './file-name.ts';

describe('cleanFileName', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\plan.docx', 'plan.docx'],
    ['  spaced \u0000\n.txt', 'spaced .txt'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['Cafe\u0301.txt', 'Café.txt'],
    ['..', 'file'],
    ['', 'file'],
    [undefined, 'file'],
  ])('%j becomes %j', (name, clean) => {
    expect(cleanFileName(name)).toBe(clean);
  });

  it('keeps the extension when it truncates', () => {
    const clean = cleanFileName(`${'x'.repeat(400)}.pdf`);
    expect(clean).toHaveLength(255);
    expect(clean.endsWith('x.pdf')).toBe(true);
  });

  it.each([
    ['251 emoji and an extension', '🎉'.repeat(251), '.txt'],
    ['127 letters of two code points', 'क़'.repeat(127), ''],
  ])('keeps a name of at most 255 characters: %s', (_label, start, end) => {
    expect([...cleanFileName(start + end)].length).toBeLessThanOrEqual(255);
    expect(cleanFileName(start + end)).toBe((start + end).normalize('NFC'));
  });

  it.each(['👩‍👩‍👧‍👦', '🇩🇪', 'e\u0301\u0323', '👍🏽', 'नि', '각'])(
    'truncates between grapheme clusters: %s',
    (seen) => {
      const clean = cleanFileName(`x${seen.repeat(300)}.txt`);
      const [, middle = ''] = /^x(.*)\.txt$/u.exec(clean) ?? [];
      const sequence = seen.normalize('NFC');
      expect(middle).toBe(sequence.repeat(Math.floor(250 / [...sequence].length)));
    },
  );

  it('truncates within a letter that has too many marks', () => {
    expect([...cleanFileName(`x${'\u0300'.repeat(400)}.txt`)]).toHaveLength(255);
  });
});

describe('extensionOf', () => {
  it.each([
    ['a.PDF', 'pdf'],
    ['a.tar.gz', 'gz'],
    ['.gitignore', ''],
    ['a.', ''],
    ['v1. final draft', ''],
  ])('returns for %j the extension %j', (name, extension) => {
    expect(extensionOf(name)).toBe(extension);
  });
});
