import { describe, expect, it } from '@jest/globals';
import { applyEdits } from '../text/field-edits.ts';
import { convertPaste } from './paste.ts';

function paste(text: string, html: string, into = '', start = into.length, end = start): string | null {
  const change = convertPaste({ text, html }, { text: into, start, end });
  return change && applyEdits({ text: into }, change.edits).text;
}

const SHEET =
  '<html><head><style>td { color: red }</style></head><body><!--StartFragment--><table><tr><td>Name</td><td>Hours</td></tr><tr><td>Ann|Lee</td><td>1<br>2</td></tr></table><!--EndFragment--></body></html>';
const TABLE = '| Name | Hours |\n| --- | --- |\n| Ann\\|Lee | 1 2 |\n';

describe('a pasted table', () => {
  it('becomes Markdown, from a spreadsheet or a page', () => {
    expect(paste('Name\tHours\nAnn|Lee\t1 2', SHEET)).toBe(TABLE);
  });

  it('becomes Markdown from text with tabs', () => {
    expect(paste('a\tb\r\n1\t\r\n', '')).toBe('| a | b |\n| --- | --- |\n| 1 |  |\n');
  });

  it('has an empty line before and after it', () => {
    expect(paste('a\tb\n1\t2', '', 'see: ok', 5)).toBe('see: \n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nok');
    expect(paste('a\tb\n1\t2', '', 'see\n')).toBe('see\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n');
  });

  it.each([
    ['a cell', 'a', '<table><tr><td>a</td></tr></table>'],
    ['a column', 'a\nb', '<table><tr><td>a</td></tr><tr><td>b</td></tr></table>'],
    ['a page with a table', 'Hi a b', '<p>Hi</p><table><tr><td>a</td><td>b</td></tr></table>'],
    ['indented lines', '\ta\n\t\tb', ''],
    ['code with the same indentation', '\ta();\n\tb();', ''],
    ['one line with a tab', 'a\tb', ''],
  ])('stays text if it is %s', (_name, text, html) => {
    expect(paste(text, html)).toBeNull();
  });

  it('stays text in a block of code', () => {
    expect(paste('a\tb\n1\t2', '', '```\n')).toBeNull();
  });

  it('never runs scripts of the clipboard', () => {
    const html =
      '<table><tr><td><img src=x onerror="globalThis.ran=1">a</td><td><script>globalThis.ran=1</script>b</td></tr></table>';
    paste('a\tb', html);
    expect('ran' in globalThis).toBe(false);
  });
});

describe('a link pasted over a selection', () => {
  it('becomes a link with the selection as its text', () => {
    expect(paste('https://a.example/b', '', 'see the plan now', 4, 12)).toBe('see [the plan](https://a.example/b) now');
    expect(paste('https://a.example/(b)', '', 'plan', 0, 4)).toBe('[plan](https://a.example/%28b%29)');
  });

  it.each([
    ['nothing is selected', 'https://a.example', 'plan', 4, 4],
    ['an address is selected', 'https://a.example', 'https://b.example', 0, 17],
    ['lines are selected', 'https://a.example', 'a\nb', 0, 3],
    ['it is text', 'a https://a.example', 'plan', 0, 4],
    ['it is a script', 'javascript:alert(1)', 'plan', 0, 4],
  ])('is pasted as it is if %s', (_name, text, into, start, end) => {
    expect(paste(text, '', into, start, end)).toBeNull();
  });
});
