import Papa from 'papaparse';

/** As many rows as a browser renders quickly. */
const MAX_ROWS = 1_000;
const MAX_COLUMNS = 100;

/** The header row, the other rows, and whether some were left out. */
export type ParsedTable = { head: string[]; rows: string[][]; isCut: boolean };

/** Detects the separator; malformed lines are kept as they are. */
export function parseTable(text: string): ParsedTable {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { preview: MAX_ROWS + 2, skipEmptyLines: true });
  const widest = data.reduce((maxColumns, row) => Math.max(maxColumns, row.length), 0);
  const [head = [], ...rows] = data.map((row) => row.slice(0, MAX_COLUMNS));
  return { head, rows: rows.slice(0, MAX_ROWS), isCut: rows.length > MAX_ROWS || widest > MAX_COLUMNS };
}
