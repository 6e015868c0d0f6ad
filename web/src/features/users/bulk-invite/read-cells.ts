import { type Cells, hasAddress } from './list-columns.ts';

const LINE_BREAK = /[\r\n]/;
const PATTERNS = {
  '\t': { quoted: /[ \u00a0]*"([^"]*(?:""[^"]*)*)"[ \u00a0]*(?=[\t\r\n]|$)/y, plain: /[^\t\r\n]*/y },
  ';': { quoted: /[ \u00a0]*"([^"]*(?:""[^"]*)*)"[ \u00a0]*(?=[;\r\n]|$)/y, plain: /[^;\r\n]*/y },
  ',': { quoted: /[ \u00a0]*"([^"]*(?:""[^"]*)*)"[ \u00a0]*(?=[,\r\n]|$)/y, plain: /[^,\r\n]*/y },
};
type Separator = keyof typeof PATTERNS;
const QUOTES = /"/g;

/**
 * The cells of a table, without empty rows. A cell is quoted only from a quotation mark at its start to one at its end, and may then
 * contain separators and line breaks. Any other quotation mark is plain text, so an unpaired one never hides the rows that follow.
 */
export function readCells(text: string, separator: Separator): Cells {
  const { quoted, plain } = PATTERNS[separator];
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at <= text.length) {
    const [source, cell] = readQuoted(quoted, text, at) ?? readPlain(plain, text, at);
    row.push(cell);
    at += source.length;
    if (text[at] !== separator) {
      rows.push(row);
      row = [];
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  return rows.filter((cells) => cells.some((cell) => cell.trim() !== ''));
}

type Read = [source: string, cell: string];

function readQuoted(pattern: RegExp, text: string, at: number): Read | undefined {
  pattern.lastIndex = at;
  const [source, cell = ''] = pattern.exec(text) ?? [];
  return source === undefined || hasSwallowedRow(cell) ? undefined : [source, cell.replaceAll('""', '"')];
}

/** Two unpaired quotation marks look like one quoted cell; an address on one of its later lines belongs to another row. */
function hasSwallowedRow(cell: string): boolean {
  const lineEnd = cell.search(LINE_BREAK);
  return lineEnd >= 0 && hasAddress(cell.slice(lineEnd));
}

/** A quotation mark without its counterpart is no part of the cell. */
function readPlain(pattern: RegExp, text: string, at: number): Read {
  pattern.lastIndex = at;
  const source = pattern.exec(text)?.[0] ?? '';
  const isBalanced = (source.match(QUOTES)?.length ?? 0) % 2 === 0;
  return [source, isBalanced ? source : source.replace(QUOTES, '')];
}
