import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';
import { VisuallyHidden } from '../visually-hidden.tsx';

export type Column<Row> = {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  width?: string;
  align?: 'start' | 'end';
  /** Not shown on small screens, where each row is a block of its own. */
  isSecondary?: boolean;
  /** A header for screen readers only, such as over the actions. */
  isHeaderHidden?: boolean;
};

type Props<Row> = { label: string; columns: readonly Column<Row>[]; rows: readonly Row[]; keyOf: (row: Row) => string };

/** Rows under headings; on small screens a list of blocks, because a squeezed table is no table. */
export function Table<Row>({ label, columns, rows, keyOf }: Props<Row>) {
  return (
    <Grid aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Header key={column.key} scope="col" $align={column.align} style={{ width: column.width }}>
              {column.isHeaderHidden ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
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
    padding-left: ${theme.space[5]};
  }
  &:last-child {
    padding-right: ${theme.space[5]};
  }
`;

const Line = styled.tr`
  & + & {
    border-top: 1px solid ${theme.color.line};
  }
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
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  &:first-child {
    padding-left: ${theme.space[5]};
  }
  &:last-child {
    padding-right: ${theme.space[5]};
    overflow: visible;
  }
  ${theme.media.small} {
    display: ${({ $secondary }) => ($secondary ? 'none' : 'block')};
    max-width: none;
    padding: 0 !important;
  }
`;
