import { uniqueKey } from '@atrium/proto-events/text/fold';
import { parseRole } from './invite-row.ts';

export type Field = 'email' | 'firstName' | 'lastName' | 'name' | 'role' | 'department';
export type Columns = Partial<Record<Field, number | undefined>>;
export type Cells = readonly (readonly string[])[];

const HEADINGS: Readonly<Record<Field, string>> = {
  email: `email mail emailaddress mailaddress workemail workemailaddress primaryemail emailid emails mails emailaddresses
    mailaddresses workemails workemailaddresses emailids eaddress useremail contactemail userprincipalname`,
  firstName: 'firstname firstnames first givenname givennames forename',
  lastName: 'lastname lastnames last surname surnames familyname',
  name: 'name names fullname fullnames displayname employee employees employeename person people',
  role: 'role roles position userrole',
  department: 'department departments departmentname dept team teams',
};
const FIELD_OF = new Map(
  (Object.keys(HEADINGS) as Field[]).flatMap((field) =>
    HEADINGS[field].split(/\s+/).map((heading) => [heading, field]),
  ),
);

const NON_EMAIL_FIELDS = ['firstName', 'lastName', 'name', 'role', 'department'] as const;

const LINE_BREAK = /[\r\n]/;
const SEPARATOR = /[\t;,]/;
/** Starts a note after a heading, as in `Email Address [Required]`. */
const NOTE = /[[(]/;
const NOT_LETTERS = /[^\p{L}]/gu;
const EMAIL_ADDRESS = /[^\s@]@[^\s@]/;

export const hasEmailAddress = (cell: string): boolean => EMAIL_ADDRESS.test(cell);

/** Returns the field of a heading. `Email,Address` is two headings, in a file with a different separator. */
function findField(heading: string): Field | undefined {
  const name = heading.split(NOTE, 1)[0] ?? '';
  return SEPARATOR.test(name) ? undefined : FIELD_OF.get(name.replace(NOT_LETTERS, '').toLowerCase());
}

/** Removes a caption such as `Email addresses` or `Team:` from the first line of a list. */
export function stripCaption(text: string): string {
  const [caption = ''] = text.trimStart().split(LINE_BREAK, 1);
  return findField(caption) ? text.trimStart().slice(caption.length).trimStart() : text;
}

export function detectColumnsFromHeader([head = [], ...rows]: Cells): Columns | undefined {
  if (head.some(hasEmailAddress)) return undefined;
  const columns: Columns = {};
  head.forEach((heading, index) => {
    const field = findField(heading);
    if (field) columns[field] ??= index;
  });
  if (Object.keys(columns).length === 0) return undefined;
  const email = columns.email ?? findEmailColumn(rows);
  if (email === undefined) return undefined;
  // It takes precedence: a column "Employee" or "Team" that contains emails has no names or departments.
  for (const field of NON_EMAIL_FIELDS) if (columns[field] === email) columns[field] = undefined;
  columns.email = email;
  // Next to "Surname", "Name" is the first name.
  if (columns.name !== undefined && columns.lastName !== undefined) columns.firstName ??= columns.name;
  return columns;
}

export function inferColumnsFromContent(rows: Cells, departments: readonly string[]): Columns | undefined {
  const emailCounts = rows.map((row) => row.filter(hasEmailAddress).length);
  const isAddressList =
    emailCounts.some((count) => count > 1) || rows.some((row) => row.some((cell) => cell.includes('<')));
  const email = findEmailColumn(rows);
  const hasOtherCells = rows.some(
    (row) => row.some(hasEmailAddress) && row.some((cell) => isFilled(cell) && !hasEmailAddress(cell)),
  );
  if (isAddressList || !hasOtherCells || email === undefined) return undefined;
  const names = new Set(departments.map(uniqueKey));
  const columns: Columns = { email };
  const otherColumns = filledColumns(rows).filter((index) => index !== email);
  const assignColumn = (field: Field, isValue: (cell: string) => boolean) => {
    const position = otherColumns.findIndex((index) =>
      rows.every((row) => !isFilled(row[index]) || isValue(row[index] ?? '')),
    );
    if (position >= 0) columns[field] = otherColumns.splice(position, 1)[0];
  };
  assignColumn('role', (cell) => parseRole(cell) !== undefined);
  assignColumn('department', (cell) => names.has(uniqueKey(cell)));
  const rest: Field[] = otherColumns.length === 1 ? ['name'] : ['firstName', 'lastName', 'department', 'role'];
  for (const field of rest) columns[field] ??= otherColumns.shift();
  return columns;
}

const isFilled = (cell: string | undefined): boolean => cell !== undefined && cell.trim() !== '';

function filledColumns(rows: Cells): number[] {
  const widest = rows.reduce((max, row) => Math.max(max, row.length), 0);
  return Array.from({ length: widest }, (_, index) => index).filter((index) =>
    rows.some((row) => isFilled(row[index])),
  );
}

function findEmailColumn(rows: Cells): number | undefined {
  const counts = filledColumns(rows).map((index) => ({
    index,
    count: rows.filter((row) => hasEmailAddress(row[index] ?? '')).length,
  }));
  const [best] = counts.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  return best?.index;
}
