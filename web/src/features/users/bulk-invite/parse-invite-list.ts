import { createRow, type InviteRow, type ListedPerson } from './invite-row.ts';
import {
  type Cells,
  type Columns,
  detectColumnsFromHeader,
  type Field,
  hasEmailAddress,
  inferColumnsFromContent,
  stripCaption,
} from './list-columns.ts';
import { listedPerson, parseAddressList } from './parse-address-list.ts';
import { parseName } from './person-name.ts';

const LINE_BREAK = /[\r\n]/;
const QUOTES = /"/g;
/** Limits the length of quoted cells, so that unpaired quotation marks cannot cause quadratic time. */
const MAX_QUOTED = 2_000;

type Separator = ',' | ';' | '\t';
type Patterns = { quoted: RegExp; plain: RegExp };

const PATTERNS: Readonly<Record<Separator, Patterns>> = {
  ',': { quoted: /^[ \u00a0]*"([^"]*(?:""[^"]*)*)"[ \u00a0]*(?=[,\r\n])/, plain: /[^,\r\n]*/y },
  ';': { quoted: /^[ \u00a0]*"([^"]*(?:""[^"]*)*)"[ \u00a0]*(?=[;\r\n])/, plain: /[^;\r\n]*/y },
  '\t': { quoted: /^[ \u00a0]*"([^"]*(?:""[^"]*)*)"[ \u00a0]*(?=[\t\r\n])/, plain: /[^\t\r\n]*/y },
};

/**
 * A cell is quoted only if it starts and ends with a quotation mark. Other quotation marks are plain text, so
 * an unpaired one never hides later rows.
 */
function parseCells(list: string, separator: Separator): Cells {
  const { quoted, plain } = PATTERNS[separator];
  const text = `${list}\n`;
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [source, cell] = parseQuotedCell(quoted, text, at) ?? parsePlainCell(plain, text, at);
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

type ParsedCell = [source: string, cell: string];

function parseQuotedCell(pattern: RegExp, text: string, at: number): ParsedCell | undefined {
  const [source, cell = ''] = pattern.exec(text.slice(at, at + MAX_QUOTED)) ?? [];
  return source === undefined || hasSwallowedRow(cell) ? undefined : [source, cell.replaceAll('""', '"')];
}

/**
 * Whether a quoted cell contains another row. Two unpaired quotation marks look like one quoted cell; an address on a
 * later line shows that they are in different rows.
 */
function hasSwallowedRow(cell: string): boolean {
  const lineEnd = cell.search(LINE_BREAK);
  return lineEnd >= 0 && hasEmailAddress(cell.slice(lineEnd));
}

function parsePlainCell(pattern: RegExp, text: string, at: number): ParsedCell {
  pattern.lastIndex = at;
  const source = pattern.exec(text)?.[0] ?? '';
  const isBalanced = (source.match(QUOTES)?.length ?? 0) % 2 === 0;
  return [source, isBalanced ? source : source.replace(QUOTES, '')];
}

const SEPARATORS: readonly Separator[] = ['\t', ';', ','];

export function parseInviteList(text: string, departments: readonly string[]): InviteRow[] {
  const plain = stripCaption(text.replace(/^\uFEFF/, ''));
  const table = parseTable(plain, departments);
  const people = table ? parseRows(table) : parseAddressList(plain);
  return people.map(createRow);
}

type Table = { rows: Cells; columns: Columns };

function parseTable(text: string, departments: readonly string[]): Table | undefined {
  const parsed = SEPARATORS.map((separator) => parseCells(text, separator));
  const withHeadings = parsed.map((rows) => ({ columns: detectColumnsFromHeader(rows), rows: rows.slice(1) }));
  const byContent = parsed.map((rows) => ({ columns: inferColumnsFromContent(rows, departments), rows }));
  return widest(withHeadings) ?? widest(byContent);
}

function widest(tables: readonly { rows: Cells; columns: Columns | undefined }[]): Table | undefined {
  let best: Table | undefined;
  for (const { rows, columns } of tables)
    if (columns && (!best || countColumns(columns) > countColumns(best.columns))) best = { rows, columns };
  return best;
}

const countColumns = (columns: Columns) => Object.values(columns).filter((index) => index !== undefined).length;

const parseRows = ({ rows, columns }: Table): ListedPerson[] =>
  rows.map((row) => {
    const cell = (field: Field) => row[columns[field] ?? -1]?.trim() ?? '';
    const [personInAddress] = cell('email').includes('<') ? parseAddressList(cell('email')) : [];
    const email = personInAddress?.email ?? cell('email');
    const firstName = cell('firstName');
    const lastName = cell('lastName');
    const isNamed = firstName !== '' || lastName !== '';
    const name = isNamed ? { firstName, lastName } : parseName(cell('name') || nameIn(personInAddress));
    return listedPerson({ email, ...name, role: cell('role'), department: cell('department') });
  });

const nameIn = (person: ListedPerson | undefined) => (person ? `${person.firstName} ${person.lastName}` : '');
