import { describe, expect, it } from '@jest/globals';
import { findPatterns } from './find-patterns.ts';

const find = (text: string) => findPatterns(text, 'file.ts');

describe('findPatterns', () => {
  it('finds regular expression literals with their line numbers', () => {
    const text = `const a = 'é'; /a+/g.test(a);\n\nz.string().regex(/^b$/u);\ncall({ deep: [{ x: () => /c/ }] });`;
    expect(find(text)).toEqual([
      { line: 1, source: 'a+', flags: 'g' },
      { line: 3, source: '^b$', flags: 'u' },
      { line: 4, source: 'c', flags: '' },
    ]);
  });

  it('evaluates patterns that are built from constants', () => {
    const text = `
      const letter = '[^@]';
      const tail = /x+$/;
      new RegExp(\`^\${letter}+\` + '@' + tail.source, 'i');
      RegExp(String.raw\`\\d+\`);
      new RegExp(\`\${escaped(name)}+\`);
      const scripts = ['Hani', 'Thai'].map((script) => \`\\\\p{\${script}}\`).join('');
      new RegExp(\`[\${scripts}]+\`);`;
    const sources = ['x+$', '^[^@]+@x+$', '\\d+', 'x+', '[\\p{Hani}\\p{Thai}]+'];
    expect(find(text).map((found) => 'source' in found && found.source)).toEqual(sources);
  });

  it('finds strings passed to match, matchAll, and search', () => {
    expect(find(`text.match('a+$'); text.search("b"); text.replace('c', ''); list.match(/d/)`)).toMatchObject([
      { source: 'a+$' },
      { source: 'b' },
      { source: 'd' },
    ]);
  });

  it.each(['new RegExp(given)', "new RegExp('a' + given)", 'const a = 1; { const a = 2; new RegExp(a) }'])(
    'reports %s as unknown',
    (text) => {
      expect(find(text)).toMatchObject([{ unknown: expect.any(String) }]);
    },
  );
});
