import { scaleBand } from 'd3-scale';
import { type KeyboardEvent, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { hasModifier } from '#lib/has-modifier.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { theme } from '../theme.ts';
import { BottomAxis, Decoration, Drawing, Hatching, type Plot, ValueAxis, ValueText } from './chart-parts.tsx';
import { createCountScale, mirror, thinOut } from './scales.ts';
import { useChartSize } from './use-chart-size.ts';

export type ChartColumn = {
  key: string;
  value: number;
  tick: string;
  /** The accessible name, with the value. */
  label: string;
  /** Whether the period is not over yet, which is shown as hatched. */
  isUnfinished?: boolean;
  onOpen: () => void;
};

type Props = { label: string; columns: readonly ChartColumn[] };

const HEIGHT = 220;
const MIN_VALUE_PX = 16;
const TICK_PX = 64;

/** Counts of periods as columns from zero. Each opens the items it counts. */
export function ColumnChart({ label, columns }: Props) {
  const { ref, width, isRtl } = useChartSize();
  const plot: Plot = { left: isRtl ? 8 : 36, right: width - (isRtl ? 36 : 8), top: 20, bottom: HEIGHT - 28 };
  const { y, ticks } = createCountScale(Math.max(0, ...columns.map(({ value }) => value)), plot.bottom - plot.top);
  const keys = columns.map(({ key }) => key);
  const x = scaleBand(keys, mirror([plot.left, plot.right], isRtl)).padding(0.28);
  const center = (key: string) => (x(key) ?? 0) + x.bandwidth() / 2;
  const ticked = thinOut(columns, ({ key }) => center(key), TICK_PX);
  return (
    <div ref={ref}>
      <Drawing viewBox={`0 0 ${width} ${HEIGHT}`} role="group" aria-label={label}>
        <defs>
          <Hatching id="column-unfinished" color={theme.color.accent} />
        </defs>
        <ValueAxis plot={plot} y={y} ticks={ticks} format={formatNumber} isRtl={isRtl} />
        <BottomAxis plot={plot} ticks={ticked.map(({ key, tick }) => ({ x: center(key), label: tick }))} />
        <Columns columns={columns} isRtl={isRtl}>
          {({ key, value, isUnfinished = false }) => (
            <>
              <HitArea x={center(key) - x.step() / 2} y={plot.top} width={x.step()} height={plot.bottom - plot.top} />
              <Bar
                x={x(key)}
                y={plot.top + y(value)}
                width={x.bandwidth()}
                height={plot.bottom - plot.top - y(value)}
                $isUnfinished={isUnfinished}
              />
            </>
          )}
        </Columns>
        {x.bandwidth() >= MIN_VALUE_PX && (
          <Decoration>
            {columns.map(({ key, value }) => (
              <ValueText key={key} x={center(key)} y={plot.top + y(value) - 6} textAnchor="middle">
                {formatNumber(value)}
              </ValueText>
            ))}
          </Decoration>
        )}
      </Drawing>
    </div>
  );
}

type ColumnsProps = {
  columns: readonly ChartColumn[];
  isRtl: boolean;
  children: (column: ChartColumn) => React.ReactNode;
};

/** One tab stop: the arrow keys move between columns, and Enter opens one. */
function Columns({ columns, isRtl, children }: ColumnsProps) {
  const [focused, setFocused] = useState(columns.length - 1);
  const elements = useRef<(SVGGElement | null)[]>([]);
  const current = Math.min(focused, columns.length - 1);
  const onKeyDown = (event: KeyboardEvent, { onOpen }: ChartColumn) => {
    if (hasModifier(event)) return;
    const target = { Home: 0, End: columns.length - 1, ...arrowTargets(current, isRtl) }[event.key];
    if (event.key === 'Enter' || event.key === ' ') onOpen();
    else if (target === undefined || !elements.current[target]) return;
    else elements.current[target]?.focus();
    event.preventDefault();
  };
  return columns.map((column, index) => (
    <Column
      key={column.key}
      ref={(element) => {
        elements.current[index] = element;
      }}
      role="button"
      aria-label={column.label}
      tabIndex={index === current ? 0 : -1}
      onFocus={() => setFocused(index)}
      onClick={column.onOpen}
      onKeyDown={(event) => onKeyDown(event, column)}
    >
      <title>{column.label}</title>
      {children(column)}
    </Column>
  ));
}

const arrowTargets = (index: number, isRtl: boolean): Record<string, number> => ({
  ArrowLeft: index + (isRtl ? 1 : -1),
  ArrowRight: index + (isRtl ? -1 : 1),
});

const HitArea = styled.rect`
  fill: transparent;
`;

const Bar = styled.rect<{ $isUnfinished: boolean }>`
  fill: ${({ $isUnfinished }) => ($isUnfinished ? 'url(#column-unfinished)' : theme.color.accent)};
  stroke: ${theme.color.accent};
`;

const Column = styled.g`
  cursor: pointer;
  outline: none;
  &:hover ${HitArea} {
    fill: ${theme.color.hover};
  }
  &:focus-visible ${HitArea} {
    fill: ${theme.color.accentSoft};
    stroke: ${theme.color.accent};
    stroke-width: 2px;
  }
`;
