import { findLinks } from '@atrium/proto-events/links';
import { isInFence } from '../text/continue-line.ts';
import type { FieldChange } from '../text/field-edits.ts';
import type { Selection } from '../text/formatting.ts';

export type Pasted = { text: string; html: string };

/** Returns what a paste becomes: a link over a selection, or a Markdown table. Null if it is pasted as it is. */
export function convertPaste({ text: pasted, html }: Pasted, selection: Selection): FieldChange | null {
  const { text, start, end } = selection;
  if (isInFence(text.slice(0, start))) return null;
  const address = pasted.trim();
  if (start !== end && isAddress(address)) return linkOver(selection, address);
  const rows = tableOf(html) ?? rowsOf(pasted);
  if (!rows) return null;
  const table = toTable(rows);
  const before = start === 0 || text.endsWith('\n\n', start) ? '' : text[start - 1] === '\n' ? '\n' : '\n\n';
  const after = end === text.length || text[end] === '\n' ? '\n' : '\n\n';
  const added = before + table + after;
  return { edits: [{ from: start, to: end, text: added }], selection: [start + added.length, start + added.length] };
}

function isAddress(text: string): boolean {
  const [link, ...others] = findLinks(text);
  return others.length === 0 && link?.text === text && /^https?:/i.test(text);
}

function linkOver({ text, start, end }: Selection, address: string): FieldChange | null {
  const selected = text.slice(start, end);
  // Replacing one address by another makes no link, and a link has one line.
  if (selected.trim() === '' || selected.includes('\n') || findLinks(selected).length > 0) return null;
  const target = `](${address.replaceAll('(', '%28').replaceAll(')', '%29')})`;
  const caret = end + 1 + target.length;
  return {
    edits: [
      { from: start, to: start, text: '[' },
      { from: end, to: end, text: target },
    ],
    selection: [caret, caret],
  };
}

/** Returns the rows of a table if nothing else is in the HTML, as from a spreadsheet. */
function tableOf(html: string): string[][] | null {
  if (!/<table/i.test(html)) return null;
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const tables = [...body.querySelectorAll('table')];
  const [table] = tables;
  if (!table || tables.length > 1) return null;
  const rows = [...table.rows].map((row) => [...row.cells].map((cell) => textOfCell(cell)));
  for (const element of body.querySelectorAll('table, style, title')) element.remove();
  return body.textContent.trim() === '' && isTable(rows) ? rows : null;
}

function textOfCell(cell: HTMLTableCellElement): string {
  for (const lineBreak of cell.querySelectorAll('br')) lineBreak.replaceWith(' ');
  return cell.textContent;
}

/** Returns rows of values between tabs, as many in each row. Indented lines of code are none. */
function rowsOf(text: string): string[][] | null {
  if (!text.includes('\t')) return null;
  const rows = text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t'));
  const width = rows[0]?.length;
  const isIndented = rows.every(([first]) => first?.trim() === '');
  const isRegular = rows.length > 1 && rows.every((row) => row.length === width);
  return isRegular && !isIndented && isTable(rows) ? rows : null;
}

const isTable = (rows: readonly string[][]): boolean => rows.length > 0 && rows.some((row) => row.length > 1);

function toTable(rows: readonly string[][]): string {
  const width = Math.max(...rows.map((row) => row.length));
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const [head, ...body] = rows.map((row) => {
    const cells = row.map((cell) => cell.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|'));
    return lineOf([...cells, ...Array<string>(width - cells.length).fill('')]);
  });
  return [head, lineOf(Array<string>(width).fill('---')), ...body].join('\n');
}
