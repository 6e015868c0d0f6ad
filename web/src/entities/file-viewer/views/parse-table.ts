import Papa from 'papaparse';

/** As many as a browser draws at once. */
const MOST_ROWS = 1_000;
const MOST_COLUMNS = 100;

/** The cells of a table, its first row apart, and what of it is left out. */
export type ParsedTable = { head: string[]; rows: string[][]; isCut: boolean };

/** Reads text as a table, whatever separates its cells; lines that break off are what they are. */
export function parseTable(text: string): ParsedTable {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { preview: MOST_ROWS + 2, skipEmptyLines: true });
  const widest = data.reduce((most, row) => Math.max(most, row.length), 0);
  const [head = [], ...rows] = data.map((row) => row.slice(0, MOST_COLUMNS));
  return { head, rows: rows.slice(0, MOST_ROWS), isCut: rows.length > MOST_ROWS || widest > MOST_COLUMNS };
}
