import { uniqueKey } from '@atrium/proto-events/text/fold';
import { roleOf } from './row-values.ts';

/** What a column of a table holds; `name` is a whole name. */
export type Field = 'email' | 'firstName' | 'lastName' | 'name' | 'role' | 'department';
export type Columns = Partial<Record<Field, number | undefined>>;
export type Cells = readonly (readonly string[])[];

const HEADINGS: readonly [Field, readonly string[]][] = [
  [
    'email',
    ['email', 'emails', 'mail', 'emailaddress', 'mailaddress', 'workemail', 'primaryemail', 'userprincipalname'],
  ],
  ['firstName', ['firstname', 'first', 'givenname', 'forename']],
  ['lastName', ['lastname', 'last', 'surname', 'familyname']],
  ['name', ['name', 'fullname', 'displayname', 'employee', 'employeename', 'person']],
  ['role', ['role', 'position', 'userrole']],
  ['department', ['department', 'departmentname', 'dept', 'team']],
];
const FIELD_OF = new Map(HEADINGS.flatMap(([field, headings]) => headings.map((heading) => [heading, field] as const)));

/** What follows a heading, as in `Email Address [Required]`. */
const NOTE = /[[(]/;
const NOT_LETTERS = /[^\p{L}]/gu;
const ADDRESS = /[^\s@]@[^\s@]/;

export const hasAddress = (cell: string): boolean => ADDRESS.test(cell);

/** The columns by their headings; undefined if the first row is not a row of headings. */
export function columnsByHeadings([head = [], ...rows]: Cells): Columns | undefined {
  if (head.some(hasAddress)) return undefined;
  const columns: Columns = {};
  head.forEach((heading, index) => {
    const field = FIELD_OF.get((heading.split(NOTE, 1)[0] ?? '').replace(NOT_LETTERS, '').toLowerCase());
    if (field) columns[field] ??= index;
  });
  if (Object.keys(columns).length === 0) return undefined;
  columns.email ??= addressColumn(rows);
  if (columns.email === undefined) return undefined;
  // Next to "Surname", "Name" is the first name.
  if (columns.name !== undefined && columns.lastName !== undefined) columns.firstName ??= columns.name;
  return columns;
}

/** The columns of a table without headings: one has addresses, and the others are told apart by what is in them. */
export function columnsByContent(rows: Cells, departments: readonly string[]): Columns | undefined {
  const addresses = rows.map((row) => row.filter(hasAddress).length);
  const isList = addresses.some((count) => count > 1) || rows.some((row) => row.some((cell) => cell.includes('<')));
  const email = addressColumn(rows);
  const isTable = rows.some((row) => row.some(hasAddress) && row.some((cell) => isFilled(cell) && !hasAddress(cell)));
  if (isList || !isTable || email === undefined) return undefined;
  const names = new Set(departments.map(uniqueKey));
  const columns: Columns = { email };
  const others = filledColumns(rows).filter((index) => index !== email);
  const take = (field: Field, isOne: (cell: string) => boolean) => {
    const found = others.findIndex((index) => rows.every((row) => !isFilled(row[index]) || isOne(row[index] ?? '')));
    if (found >= 0) columns[field] = others.splice(found, 1)[0];
  };
  take('role', (cell) => roleOf(cell) !== undefined);
  take('department', (cell) => names.has(uniqueKey(cell)));
  const rest: Field[] = others.length === 1 ? ['name'] : ['firstName', 'lastName', 'department', 'role'];
  for (const field of rest) columns[field] ??= others.shift();
  return columns;
}

const isFilled = (cell: string | undefined): boolean => cell !== undefined && cell.trim() !== '';

function filledColumns(rows: Cells): number[] {
  const widest = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: widest }, (_, index) => index).filter((index) =>
    rows.some((row) => isFilled(row[index])),
  );
}

/** The column with the most addresses. */
function addressColumn(rows: Cells): number | undefined {
  const counts = filledColumns(rows).map((index) => ({
    index,
    count: rows.filter((row) => hasAddress(row[index] ?? '')).length,
  }));
  const [best] = counts.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  return best?.index;
}
