import type { ScaleLinear } from 'd3-scale';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';

export type Plot = { left: number; right: number; top: number; bottom: number };

type ValueAxisProps = {
  plot: Plot;
  y: ScaleLinear<number, number>;
  ticks: readonly number[];
  format: (value: number) => string;
  isRtl: boolean;
};

/** Horizontal grid lines with their values at the start of the plot. */
export function ValueAxis({ plot, y, ticks, format, isRtl }: ValueAxisProps) {
  const start = isRtl ? plot.right + 8 : plot.left - 8;
  return (
    <Decoration>
      {ticks.map((tick) => (
        <g key={tick} transform={`translate(0 ${plot.top + y(tick)})`}>
          <GridLine x1={plot.left} x2={plot.right} $isBaseline={tick === 0} />
          <AxisText x={start} dy="0.32em" textAnchor={isRtl ? 'start' : 'end'}>
            {format(tick)}
          </AxisText>
        </g>
      ))}
    </Decoration>
  );
}

export type Tick = { x: number; label: string };

/** Labels below the plot; those at its ends stay within it. */
export function BottomAxis({ plot, ticks }: { plot: Plot; ticks: readonly Tick[] }) {
  return (
    <Decoration>
      {ticks.map(({ x, label }) => (
        <AxisText key={x} x={x} y={plot.bottom + 18} textAnchor={anchorAt(x, plot)}>
          {label}
        </AxisText>
      ))}
    </Decoration>
  );
}

const EDGE_PX = 18;

function anchorAt(x: number, { left, right }: Plot): 'start' | 'middle' | 'end' {
  if (x < left + EDGE_PX) return 'start';
  return x > right - EDGE_PX ? 'end' : 'middle';
}

/** Diagonal lines, which differ from a solid fill without color. */
export function Hatching({ id, color, gap = 6 }: { id: string; color: string; gap?: number }) {
  return (
    <pattern id={id} width={gap} height={gap} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <line y2={gap} style={{ stroke: color }} strokeWidth={2} />
    </pattern>
  );
}

/** Positions are computed for both directions, so the drawing itself is always from left to right. */
export const Drawing = styled.svg`
  display: block;
  width: 100%;
  height: auto;
  direction: ltr;
  overflow: visible;
`;

/** Repeats what accessible names say. */
export const Decoration = styled.g.attrs({ 'aria-hidden': true })``;

export const AxisText = styled.text`
  font: ${theme.text.xs};
  font-variant-numeric: tabular-nums;
  fill: ${theme.color.text3};
`;

export const ValueText = styled.text`
  font: 600 ${theme.text.xs};
  font-variant-numeric: tabular-nums;
  fill: ${theme.color.text};
`;

const GridLine = styled.line<{ $isBaseline: boolean }>`
  stroke: ${({ $isBaseline }) => ($isBaseline ? theme.color.lineStrong : theme.color.line)};
  shape-rendering: crispEdges;
`;
