const REVOKE_AFTER_MS = 10_000;

/** Of a cell that a spreadsheet would run as a formula. The pattern of Papa Parse ignores cells with line breaks. */
const FORMULA_START = /^[=+\-@\t\r]/;

type Cell = string | number | null;

/**
 * Includes a byte order mark, so that Excel recognizes UTF-8, and escapes cells that a spreadsheet would run as formulas.
 * Null is an empty cell.
 */
export async function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): Promise<string> {
  const { default: Papa } = await import('papaparse');
  const table = { fields: [...header], data: rows.map((row) => [...row]) };
  return `\uFEFF${Papa.unparse(table, { escapeFormulae: FORMULA_START })}`;
}

export async function downloadCsv(
  name: string,
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  const url = URL.createObjectURL(new Blob([await toCsv(header, rows)], { type: 'text/csv' }));
  const link = window.document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}
