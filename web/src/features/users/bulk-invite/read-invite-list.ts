import { createRow, type InviteRow, type ListedPerson } from './invite-row.ts';
import {
  type Cells,
  type Columns,
  columnsByContent,
  columnsByHeadings,
  type Field,
  withoutCaption,
} from './list-columns.ts';
import { readName } from './person-name.ts';
import { listedPerson, readAddressList } from './read-address-list.ts';
import { readCells, type Separator } from './read-cells.ts';

const SEPARATORS: readonly Separator[] = ['\t', ';', ','];

/** Parses a pasted list or a CSV file; `departments` are the names by which a department column is recognized. */
export function readInviteList(text: string, departments: readonly string[]): InviteRow[] {
  const plain = withoutCaption(text.replace(/^\uFEFF/, ''));
  const table = readTable(plain, departments);
  const people = table ? peopleOf(table) : readAddressList(plain);
  return people.map(createRow);
}

type Table = { rows: Cells; columns: Columns };

/** The text as a table with the separator by which most columns are recognized; undefined if it is none. */
function readTable(text: string, departments: readonly string[]): Table | undefined {
  const parsed = SEPARATORS.map((separator) => readCells(text, separator));
  const withHeadings = parsed.map((rows) => ({ columns: columnsByHeadings(rows), rows: rows.slice(1) }));
  const byContent = parsed.map((rows) => ({ columns: columnsByContent(rows, departments), rows }));
  return widest(withHeadings) ?? widest(byContent);
}

function widest(tables: readonly { rows: Cells; columns: Columns | undefined }[]): Table | undefined {
  let best: Table | undefined;
  for (const { rows, columns } of tables)
    if (columns && (!best || widthOf(columns) > widthOf(best.columns))) best = { rows, columns };
  return best;
}

const widthOf = (columns: Columns) => Object.values(columns).filter((index) => index !== undefined).length;

const peopleOf = ({ rows, columns }: Table): ListedPerson[] =>
  rows.map((row) => {
    const cell = (field: Field) => row[columns[field] ?? -1]?.trim() ?? '';
    const [inAddress] = cell('email').includes('<') ? readAddressList(cell('email')) : [];
    const email = inAddress?.email ?? cell('email');
    const [firstName, lastName] = [cell('firstName'), cell('lastName')];
    const isNamed = firstName !== '' || lastName !== '';
    const name = isNamed ? { firstName, lastName } : readName(cell('name') || nameIn(inAddress));
    return listedPerson({ email, ...name, role: cell('role'), department: cell('department') });
  });

const nameIn = (person: ListedPerson | undefined) => (person ? `${person.firstName} ${person.lastName}` : '');
