import Papa from 'papaparse';

/** As many rows as a browser renders quickly. */
const MOST_ROWS = 1_000;
const MOST_COLUMNS = 100;

/** The header row, the other rows, and whether some were left out. */
export type ParsedTable = { head: string[]; rows: string[][]; isCut: boolean };

/** Detects the separator; malformed lines are kept as they are. */
export function parseTable(text: string): ParsedTable {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { preview: MOST_ROWS + 2, skipEmptyLines: true });
  const widest = data.reduce((most, row) => Math.max(most, row.length), 0);
  const [head = [], ...rows] = data.map((row) => row.slice(0, MOST_COLUMNS));
  return { head, rows: rows.slice(0, MOST_ROWS), isCut: rows.length > MOST_ROWS || widest > MOST_COLUMNS };
}
