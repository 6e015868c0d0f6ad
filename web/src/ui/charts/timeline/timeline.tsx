import { useState } from 'react';
import { styled } from 'styled-components';
import { useToday } from '#lib/hooks/use-now.ts';
import { SegmentedControl } from '../../segmented-control.tsx';
import { theme } from '../../theme.ts';
import { ChartFrame } from '../chart-frame.tsx';
import type { TimelineItem } from './timeline-bar.tsx';
import { bySpan, rangeOf, spanLabel, type Unit } from './timeline-days.ts';
import { TimelineGrid } from './timeline-grid.tsx';

const ZOOMS = [
  { key: 'days', label: 'Days', dayWidth: 28, unit: 'week' },
  { key: 'weeks', label: 'Weeks', dayWidth: 10, unit: 'week' },
  { key: 'months', label: 'Months', dayWidth: 3, unit: 'month' },
] as const satisfies readonly { key: string; label: string; dayWidth: number; unit: Unit }[];

type Props = {
  /** The accessible name of the list. */
  label: string;
  description: string;
  hint?: string | undefined;
  items: readonly TimelineItem[];
  /** Headers of the table: the name, the dates, and the detail, if items have one. */
  header: readonly string[];
  fileName: string;
};

/** Dated items as bars, which can be moved and opened. */
export function Timeline({ label, description, hint, items, header, fileName }: Props) {
  const [zoomKey, setZoomKey] = useState<(typeof ZOOMS)[number]['key']>('weeks');
  const { dayWidth, unit } = ZOOMS.find(({ key }) => key === zoomKey) ?? ZOOMS[1];
  const sorted = items.toSorted(bySpan);
  const range = rangeOf(
    sorted.map(({ span }) => span),
    useToday(),
  );
  const toRow = ({ name, span, detail }: TimelineItem) => [name, spanLabel(span), detail ?? ''].slice(0, header.length);
  return (
    <ChartFrame
      title="Timeline"
      description={description}
      hint={hint}
      table={{ header, rows: sorted.map(toRow) }}
      fileName={fileName}
    >
      {sorted.length > 0 && (
        <>
          <Zoom>
            <SegmentedControl label="Zoom" items={ZOOMS} selected={zoomKey} onSelect={setZoomKey} />
          </Zoom>
          <TimelineGrid label={label} items={sorted} range={range} dayWidth={dayWidth} unit={unit} />
        </>
      )}
    </ChartFrame>
  );
}

const Zoom = styled.div`
  margin-bottom: ${theme.space[3]};
`;
