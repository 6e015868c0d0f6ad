import { styled } from 'styled-components';
import { timeParts } from '#lib/formats.ts';
import { theme } from '#ui/theme.ts';
import { wholeHour } from '#ui/times/time-format.ts';
import type { Axis } from '../../layout/axis.ts';
import { ROW_PX } from '../event-block.tsx';

/** The hour labels of the axis; repeated hours appear twice. */
export function Hours({ axis }: { axis: Axis }) {
  return (
    <Gutter aria-hidden="true">
      {axis.rows.map(({ minutes, turn }, place) =>
        minutes % 60 === 0 && place > 0 ? (
          <span key={`${minutes} ${turn}`} style={{ top: place * ROW_PX }}>
            {wholeHour(new Date(2026, 0, 15, minutes / 60).getTime())}
          </span>
        ) : null,
      )}
    </Gutter>
  );
}

/** 'GMT+5:45'; both offsets if the clocks change within these days. */
export function zonesOf({ days }: Axis): string[] {
  const moments = [days[0]?.start, days.at(-1)?.end].filter((at) => at !== undefined);
  const zones = moments.map((at) =>
    timeParts(at, { timeZoneName: 'shortOffset' }).find(({ type }) => type === 'timeZoneName'),
  );
  return [...new Set(zones.map((zone) => zone?.value ?? ''))];
}

const Gutter = styled.div`
  position: sticky;
  inset-inline-start: 0;
  z-index: 5;
  background: ${theme.color.surface};
  > span {
    position: absolute;
    inset-inline-end: ${theme.space[2]};
    transform: translateY(-50%);
    font: 11px / 16px var(--font);
    font-variant-numeric: tabular-nums;
    color: ${theme.color.text3};
  }
`;
