import { type Cells, hasAddress } from './list-columns.ts';

const LINE_BREAK = /[\r\n]/;
const QUOTES = /"/g;
/** Limits quoted cells, so that unpaired quotation marks cannot cause quadratic time. */
const MAX_QUOTED = 2_000;

export type Separator = ',' | ';' | '\t';
type Patterns = { quoted: RegExp; plain: RegExp };

const PATTERNS: Readonly<Record<Separator, Patterns>> = {
  ',': { quoted: /^[ \u00a0]*"([^"]*(?:""[^"]*)*)"[ \u00a0]*(?=[,\r\n])/, plain: /[^,\r\n]*/y },
  ';': { quoted: /^[ \u00a0]*"([^"]*(?:""[^"]*)*)"[ \u00a0]*(?=[;\r\n])/, plain: /[^;\r\n]*/y },
  '\t': { quoted: /^[ \u00a0]*"([^"]*(?:""[^"]*)*)"[ \u00a0]*(?=[\t\r\n])/, plain: /[^\t\r\n]*/y },
};

/**
 * The cells of a table, without empty rows. A cell is quoted only if it starts and ends with a quotation mark, and may then contain
 * separators and line breaks. Other quotation marks are plain text, so an unpaired one never hides later rows.
 */
export function readCells(given: string, separator: Separator): Cells {
  const { quoted, plain } = PATTERNS[separator];
  const text = `${given}\n`;
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
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
  const [source, cell = ''] = pattern.exec(text.slice(at, at + MAX_QUOTED)) ?? [];
  return source === undefined || hasSwallowedRow(cell) ? undefined : [source, cell.replaceAll('""', '"')];
}

/** Two unpaired quotation marks look like one quoted cell; an address on a later line shows that it spans another row. */
function hasSwallowedRow(cell: string): boolean {
  const lineEnd = cell.search(LINE_BREAK);
  return lineEnd >= 0 && hasAddress(cell.slice(lineEnd));
}

/** Drops a quotation mark without its counterpart. */
function readPlain(pattern: RegExp, text: string, at: number): Read {
  pattern.lastIndex = at;
  const source = pattern.exec(text)?.[0] ?? '';
  const isBalanced = (source.match(QUOTES)?.length ?? 0) % 2 === 0;
  return [source, isBalanced ? source : source.replace(QUOTES, '')];
}
