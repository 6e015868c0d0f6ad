import { area, line } from 'd3-shape';
import { type ReactNode, useId } from 'react';
import { styled } from 'styled-components';
import { formatNumber } from '#lib/number-formats.ts';
import type { Day } from '#lib/time/day.ts';
import { captionStyles, hiddenInPrint } from '../mixins.ts';
import { theme } from '../theme.ts';
import { BottomAxis, Drawing, Hatching, type Plot, ValueAxis, ValueText } from './chart-parts.tsx';
import { listGaps, splitAtGaps } from './gaps.ts';
import { createCountScale, createPercentScale, createTimeScale, spreadLabels, thinOut } from './scales.ts';
import { useChartSize } from './use-chart-size.ts';
import { usePointCursor } from './use-point-cursor.ts';

/** `values` has one value per series. `day` is in UTC, and is used to find days that were not recorded. */
export type LinePoint = { day: Day; time: number; values: readonly number[] };

/** The first series is drawn as an area and the others as dashed lines, so that they differ without color. */
export type LineSeries = { name: string; color: string };

type Props = {
  label: string;
  points: readonly LinePoint[];
  series: readonly LineSeries[];
  /** Percentages have a fixed scale from 0 to 100. */
  unit: 'count' | 'percent';
  /** Formats a value, with its unit. */
  format?: (value: number) => string;
  formatTick: (time: Date) => string;
  pointText: (point: LinePoint) => string;
  /** The last point with links to what it counts, in place of its text. */
  current?: ReactNode;
};

const HEIGHT = 220;
const MIN_AXIS_WIDTH = 40;
const MIN_LABEL_WIDTH = 72;
const CHARACTER_WIDTH = 7;
const LABEL_DISTANCE = 15;
const TICK_PX = 64;

/** The first line is solid. */
const DASHES = [undefined, '6 4', '2 3'];

/** In narrower charts, lines end with their names: the line above the chart has their values. */
const MIN_WIDTH_OF_VALUES = 400;

const FORMATS = { count: formatNumber, percent: (value: number) => `${value}%` };

const widthOf = (text: string) => text.length * CHARACTER_WIDTH + 12;

/** Values over time from zero. Days that were not recorded are gaps. */
export function LineChart(props: Props) {
  const { label, points, series, unit, format = FORMATS[unit], formatTick, pointText, current } = props;
  const { ref, width, isRtl } = useChartSize();
  const hatchingId = useId();
  const [top, bottom] = [12, HEIGHT - 28];
  const height = bottom - top;
  const max = Math.max(0, ...points.flatMap(({ values }) => values));
  const { y, ticks } = unit === 'percent' ? createPercentScale(height) : createCountScale(max, height);
  const axisWidth = Math.max(MIN_AXIS_WIDTH, ...ticks.map((tick) => widthOf(format(tick))));
  const endLabels = series.map(({ name }, index) =>
    width < MIN_WIDTH_OF_VALUES ? name : `${name} ${format(points.at(-1)?.values[index] ?? 0)}`,
  );
  const labelWidth = Math.max(MIN_LABEL_WIDTH, ...endLabels.map(widthOf));
  const plot: Plot = {
    left: isRtl ? labelWidth : axisWidth,
    right: width - (isRtl ? axisWidth : labelWidth),
    top,
    bottom,
  };
  const first = points[0]?.time ?? 0;
  const last = points.at(-1)?.time ?? 0;
  // A single point is at the end, next to its label.
  const x = createTimeScale([Math.min(first, last - 1), last], [plot.left, plot.right], isRtl);
  const cursor = usePointCursor({ points, positionOf: ({ time }) => x(time), isRtl });
  const allTicks =
    first === last ? [new Date(last)] : x.ticks(Math.max(2, Math.floor((plot.right - plot.left) / TICK_PX)));
  const timeTicks = thinOut(allTicks, x, TICK_PX);
  return (
    <div ref={ref}>
      <Readouts>
        {current !== undefined && <Readout data-covered={cursor.isActive}>{current}</Readout>}
        {(current === undefined || cursor.isActive) && (
          <Readout aria-hidden="true">{cursor.point ? pointText(cursor.point) : '\u00a0'}</Readout>
        )}
      </Readouts>
      <Surface {...cursor.sliderProps} aria-label={label} aria-valuetext={cursor.point && pointText(cursor.point)}>
        <Drawing viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
          <defs>
            <Hatching id={hatchingId} color={theme.color.line} gap={8} />
          </defs>
          <ValueAxis plot={plot} y={y} ticks={ticks} format={format} isRtl={isRtl} />
          <BottomAxis plot={plot} ticks={timeTicks.map((tick) => ({ x: x(tick), label: formatTick(tick) }))} />
          {listGaps(points).map(({ before, after }) => (
            <rect
              key={after.day}
              x={Math.min(x(before.time), x(after.time))}
              y={plot.top}
              width={Math.abs(x(after.time) - x(before.time))}
              height={height}
              fill={`url(#${hatchingId})`}
            />
          ))}
          <g transform={`translate(0 ${plot.top})`}>
            {series.map(({ name, color }, index) => (
              <Series
                key={name}
                runs={splitAtGaps(points)}
                index={index}
                color={color}
                x={({ time }) => x(time)}
                y={y}
                baseline={height}
              />
            ))}
            {cursor.isActive && cursor.point && (
              <CursorMark x={x(cursor.point.time)} point={cursor.point} series={series} y={y} height={height} />
            )}
            <EndLabels
              points={points}
              series={series}
              y={y}
              height={height}
              labels={endLabels}
              plot={plot}
              isRtl={isRtl}
            />
          </g>
        </Drawing>
      </Surface>
    </div>
  );
}

type ValueScale = (value: number) => number;

type SeriesProps = {
  runs: readonly LinePoint[][];
  index: number;
  color: string;
  x: (point: LinePoint) => number;
  y: ValueScale;
  baseline: number;
};

function Series({ runs, index, color, x, y, baseline }: SeriesProps) {
  const yOf = ({ values }: LinePoint) => y(values[index] ?? 0);
  const toLine = line<LinePoint>().x(x).y(yOf);
  const toArea = area<LinePoint>().x(x).y0(baseline).y1(yOf);
  return runs.map((run) => {
    const [first] = run;
    if (!first) return null;
    return (
      <g key={first.time} style={{ color }}>
        {index === 0 && <Fill d={toArea(run) ?? ''} />}
        <Stroke d={toLine(run) ?? ''} strokeDasharray={DASHES[index]} />
        {/* A line of one point is invisible. */}
        {run.length === 1 && <circle cx={x(first)} cy={yOf(first)} r={3.5} fill="currentColor" />}
      </g>
    );
  });
}

type CursorMarkProps = {
  x: number;
  point: LinePoint;
  series: readonly LineSeries[];
  y: ValueScale;
  height: number;
};

function CursorMark({ x, point, series, y, height }: CursorMarkProps) {
  return (
    <g data-cursor="">
      <CursorLine x1={x} x2={x} y2={height} />
      {series.map(({ name, color }, index) => (
        <circle key={name} cx={x} cy={y(point.values[index] ?? 0)} r={4} style={{ fill: color }} />
      ))}
    </g>
  );
}

type EndLabelsProps = {
  points: readonly LinePoint[];
  series: readonly LineSeries[];
  y: ValueScale;
  height: number;
  /** Of each line. */
  labels: readonly string[];
  plot: Plot;
  isRtl: boolean;
};

/** Names each line at its end, instead of in a legend. */
function EndLabels({ points, series, y, height, labels, plot, isRtl }: EndLabelsProps) {
  const values = points.at(-1)?.values ?? [];
  const positions = spreadLabels(values.map(y), LABEL_DISTANCE, height - 2);
  const start = isRtl ? plot.left - 8 : plot.right + 8;
  return series.map(({ name, color }, index) => (
    <ValueText
      key={name}
      x={start}
      y={positions[index]}
      dy="0.32em"
      textAnchor={isRtl ? 'end' : 'start'}
      style={{ fill: color }}
    >
      {labels[index]}
    </ValueText>
  ));
}

const Readouts = styled.div`
  display: grid;
  margin-bottom: ${theme.space[1]};
  ${hiddenInPrint}
`;

/* What is covered keeps its place in the tab order. */
const Readout = styled.p`
  grid-area: 1 / 1;
  min-height: 18px;
  ${captionStyles}
  font-variant-numeric: tabular-nums;
  &[data-covered='true']:not(:focus-within) {
    opacity: 0;
    pointer-events: none;
  }
  &:focus-within + & {
    visibility: hidden;
  }
`;

const Surface = styled.div`
  border-radius: ${theme.radius.md};
  outline: none;
  touch-action: pan-y;
  &:focus-visible {
    box-shadow: ${theme.shadow.focus};
  }
  @media print {
    [data-cursor] {
      display: none;
    }
  }
`;

const Fill = styled.path`
  fill: currentColor;
  opacity: 0.14;
`;

const Stroke = styled.path`
  fill: none;
  stroke: currentColor;
  stroke-width: 2;
  stroke-linejoin: round;
`;

const CursorLine = styled.line`
  stroke: ${theme.color.lineStrong};
`;
