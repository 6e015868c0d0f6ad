import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { bareButton, dividedStyles, ellipsis } from '../mixins.ts';
import { theme } from '../theme.ts';
import { VisuallyHidden } from '../visually-hidden.tsx';

export type Column<Row> = {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  width?: string;
  align?: 'start' | 'end';
  isSecondary?: boolean;
  isHeaderHidden?: boolean;
};

type SortState = { by: string; isDescending: boolean };

export type Sorting = SortState & { keys: readonly string[]; onSort: (sorted: SortState) => void };

type Props<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  sorting?: Sorting;
};

export function Table<Row>({ label, columns, rows, keyOf, sorting }: Props<Row>) {
  return (
    <Grid aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Header
              key={column.key}
              scope="col"
              $align={column.align}
              style={{ width: column.width }}
              {...(sorting?.by === column.key && { 'aria-sort': sorting.isDescending ? 'descending' : 'ascending' })}
            >
              {column.isHeaderHidden ? (
                <VisuallyHidden>{column.header}</VisuallyHidden>
              ) : sorting?.keys.includes(column.key) ? (
                <SortButton id={column.key} header={column.header} sorting={sorting} />
              ) : (
                column.header
              )}
            </Header>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Line key={keyOf(row)}>
            {columns.map((column) => (
              <Cell key={column.key} $align={column.align} $secondary={column.isSecondary ?? false}>
                {column.cell(row)}
              </Cell>
            ))}
          </Line>
        ))}
      </tbody>
    </Grid>
  );
}

function SortButton({ id, header, sorting }: { id: string; header: string; sorting: Sorting }) {
  const isSorted = sorting.by === id;
  const Arrow = isSorted && sorting.isDescending ? ArrowDown : ArrowUp;
  return (
    <Sort
      type="button"
      data-sorted={isSorted}
      onClick={() => sorting.onSort({ by: id, isDescending: isSorted && !sorting.isDescending })}
    >
      {header}
      <Arrow aria-hidden="true" />
    </Sort>
  );
}

const Grid = styled.table`
  width: 100%;
  border-collapse: collapse;
  ${theme.media.small} {
    display: block;
    thead {
      display: none;
    }
    tbody {
      display: block;
    }
  }
`;

const Header = styled.th<{ $align: 'start' | 'end' | undefined }>`
  padding: ${theme.space[3]} ${theme.space[3]};
  text-align: ${({ $align }) => $align ?? 'start'};
  font: 500 ${theme.text.xs};
  color: ${theme.color.text3};
  border-bottom: 1px solid ${theme.color.line};
  white-space: nowrap;
  &:first-child {
    padding-inline-start: ${theme.space[5]};
  }
  &:last-child {
    padding-inline-end: ${theme.space[5]};
  }
`;

const Sort = styled.button`
  display: inline-flex;
  align-items: center;
  gap: ${theme.space[1]};
  min-height: 24px;
  padding: 0;
  ${bareButton}
  font: inherit;
  color: inherit;
  svg {
    width: 12px;
    height: 12px;
    opacity: 0;
  }
  &:hover,
  &[data-sorted='true'] {
    color: ${theme.color.text};
  }
  &:hover svg,
  &:focus-visible svg {
    opacity: 0.6;
  }
  &[data-sorted='true'] svg {
    opacity: 1;
  }
`;

const Line = styled.tr`
  ${dividedStyles}
  &:hover {
    background: ${theme.color.hover};
  }
  ${theme.media.small} {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    grid-auto-flow: column;
    grid-auto-columns: auto;
    align-items: center;
    gap: ${theme.space[1]} ${theme.space[3]};
    padding: ${theme.space[3]} ${theme.space[4]};
  }
`;

const Cell = styled.td<{ $align: 'start' | 'end' | undefined; $secondary: boolean }>`
  padding: ${theme.space[3]};
  text-align: ${({ $align }) => $align ?? 'start'};
  vertical-align: middle;
  max-width: 0;
  ${ellipsis}
  @media print {
    overflow: visible;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  &:first-child {
    padding-inline-start: ${theme.space[5]};
  }
  &:last-child {
    padding-inline-end: ${theme.space[5]};
    overflow: visible;
  }
  ${theme.media.small} {
    display: ${({ $secondary }) => ($secondary ? 'none' : 'block')};
    max-width: none;
    padding: 0 !important;
  }
`;
