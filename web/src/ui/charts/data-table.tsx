import { styled } from 'styled-components';
import { TextButton } from '../text-button.tsx';
import { theme } from '../theme.ts';

/** A figure that opens the items it counts. */
export type LinkedFigure = { value: number; label: string; onOpen: () => void };

/** Null was not recorded. */
export type ChartCell = string | number | null | LinkedFigure;

/** The first cell of each row is its name. */
export type ChartTable = { header: readonly string[]; rows: readonly (readonly ChartCell[])[] };

const isLinked = (cell: ChartCell): cell is LinkedFigure => typeof cell === 'object' && cell !== null;

/** Returns the rows as plain values. */
export const tableValues = ({ rows }: ChartTable): (string | number | null)[][] =>
  rows.map((row) => row.map((cell) => (isLinked(cell) ? cell.value : cell)));

export function DataTable({ label, table: { header, rows } }: { label: string; table: ChartTable }) {
  return (
    <Scroller tabIndex={0} role="region" aria-label={`Table: ${label}`}>
      <Grid>
        <thead>
          <tr>
            {header.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names of items may be equal, and rows have no state
            <tr key={row}>
              <th scope="row">{String(name)}</th>
              {cells.map((cell, index) => (
                <td key={header[index + 1]}>
                  <Figure cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Grid>
    </Scroller>
  );
}

function Figure({ cell }: { cell: ChartCell }) {
  if (cell === null) return <Missing>Not recorded</Missing>;
  if (!isLinked(cell)) return cell;
  if (cell.value === 0) return 0;
  return (
    <Opener aria-label={cell.label} onPress={cell.onOpen}>
      {cell.value}
    </Opener>
  );
}

const Scroller = styled.div`
  max-height: 320px;
  overflow: auto;
  border-radius: ${theme.radius.md};
  &:focus-visible {
    outline: none;
    box-shadow: ${theme.shadow.focus};
  }
  @media print {
    max-height: none;
    overflow: visible;
  }
`;

const Grid = styled.table`
  width: 100%;
  border-collapse: collapse;
  font-variant-numeric: tabular-nums;
  th,
  td {
    padding: ${theme.space[2]} ${theme.space[3]};
    border-bottom: 1px solid ${theme.color.line};
    text-align: end;
    font-weight: 400;
  }
  th:first-child {
    padding-inline-start: 0;
    text-align: start;
  }
  thead th {
    position: sticky;
    top: 0;
    background: ${theme.color.surface};
    font: 500 ${theme.text.xs};
    color: ${theme.color.text3};
  }
`;

const Opener = styled(TextButton)`
  min-width: 24px;
  min-height: 24px;
  text-align: end;
  text-decoration: underline;
  text-underline-offset: 3px;
  color: ${theme.color.accent};
`;

const Missing = styled.span`
  font-style: italic;
  color: ${theme.color.text3};
`;
