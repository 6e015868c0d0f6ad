import { styled } from 'styled-components';
import { formatNumber } from '#lib/number-formats.ts';
import { theme } from '../theme.ts';
import type { LinkedFigure } from './data-table.tsx';
import { useCellFocus } from './use-cell-focus.ts';

/** Patterns differ as well, so that they are readable without color. Totals have no bars. */
type Tone = 'plain' | 'warning' | 'muted' | 'total';

export type MatrixColumn = { key: string; name: string; tone?: Tone };

export type MatrixRow = { key: string; name: string; cells: readonly LinkedFigure[] };

type Props = {
  label: string;
  /** The header of the names. */
  corner: string;
  columns: readonly MatrixColumn[];
  rows: readonly MatrixRow[];
};

/** Counts by row and column, as numbers with bars from zero. Each opens the items it counts. */
export function MatrixChart({ label, corner, columns, rows }: Props) {
  const { gridProps, cellProps } = useCellFocus(rows.map(({ cells }) => cells.map(({ value }) => value > 0)));
  const hasBar = columns.map(({ tone }) => tone !== 'total');
  const max = Math.max(1, ...rows.flatMap(({ cells }) => cells.map(({ value }, index) => (hasBar[index] ? value : 0))));
  return (
    <Scroller>
      <Grid role="grid" aria-label={label} $columns={columns.length} {...gridProps}>
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {columns.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, cells }, row) => (
            <tr key={key}>
              <th scope="row" title={name}>
                <bdi>{name}</bdi>
              </th>
              {cells.map(({ value, label: cellLabel, onOpen }, column) => (
                <td key={columns[column]?.key}>
                  {value > 0 ? (
                    <Cell type="button" aria-label={cellLabel} onClick={onOpen} {...cellProps(row, column)}>
                      {formatNumber(value)}
                      {hasBar[column] && (
                        <Bar
                          data-tone={columns[column]?.tone ?? 'plain'}
                          style={{ width: `${(value / max) * 100}%` }}
                        />
                      )}
                    </Cell>
                  ) : (
                    <Zero>0</Zero>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Grid>
    </Scroller>
  );
}

const Scroller = styled.div`
  position: relative;
  overflow-x: auto;
  @media print {
    overflow: visible;
  }
`;

/** Columns have one width, so that bars of all columns have one scale. */
const Grid = styled.table<{ $columns: number }>`
  width: 100%;
  min-width: ${({ $columns }) => 124 + $columns * 76}px;
  table-layout: fixed;
  border-collapse: separate;
  border-spacing: 0;
  font-variant-numeric: tabular-nums;
  th,
  td {
    padding: 0 2px;
    border-bottom: 1px solid ${theme.color.line};
    text-align: end;
    vertical-align: middle;
  }
  thead th {
    padding: ${theme.space[2]};
    font: ${theme.text.sm};
    color: ${theme.color.text2};
    vertical-align: bottom;
  }
  th:first-child {
    position: sticky;
    inset-inline-start: 0;
    z-index: 1;
    width: 18%;
    padding: ${theme.space[2]} ${theme.space[2]} ${theme.space[2]} 0;
    overflow: hidden;
    background: ${theme.color.surface};
    text-align: start;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  tbody th:first-child {
    /* In line with the numbers, which are above their bars. */
    padding-bottom: calc(${theme.space[2]} + 6px);
    font: ${theme.text.md};
    font-weight: 500;
  }
  @media print {
    min-width: 0;
    th:first-child {
      overflow-wrap: anywhere;
      white-space: normal;
    }
    thead th:not(:first-child) {
      padding-inline: 0 2px;
      font: ${theme.text.xs};
    }
  }
  ${theme.media.small} {
    th:first-child {
      width: 124px;
    }
  }
`;

const Cell = styled.button`
  position: relative;
  display: block;
  width: 100%;
  height: 44px;
  padding: 0 ${theme.space[2]} 6px;
  border: 0;
  border-radius: ${theme.radius.sm};
  background: transparent;
  color: ${theme.color.text};
  font: ${theme.text.md};
  text-align: end;
  cursor: pointer;
  &:hover {
    background: ${theme.color.hover};
  }
  &:focus-visible {
    outline: none;
    box-shadow: inset 0 0 0 2px ${theme.color.accent};
  }
`;

const Bar = styled.span`
  position: absolute;
  bottom: 6px;
  inset-inline-end: ${theme.space[2]};
  max-width: calc(100% - 2 * ${theme.space[2]});
  height: 6px;
  border: 1px solid ${theme.color.accent};
  border-radius: 2px;
  background: ${theme.color.accent};
  &[data-tone='warning'] {
    border-color: ${theme.color.danger};
    background: repeating-linear-gradient(
      -45deg,
      ${theme.color.danger} 0 2px,
      transparent 2px 4px
    );
  }
  &[data-tone='muted'] {
    border-color: ${theme.color.text3};
    border-style: dashed;
    background: transparent;
  }
`;

/** In line with the numbers of cells. */
const Zero = styled.span`
  display: block;
  padding: 0 ${theme.space[2]} 6px;
  color: ${theme.color.text3};
`;
