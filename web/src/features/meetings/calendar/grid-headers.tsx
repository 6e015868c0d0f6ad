import { styled } from 'styled-components';
import { type Day, dateOfDay } from '#lib/time/day.ts';
import { formatTime, timeParts } from '#lib/time/formats.ts';
import { theme } from '#ui/theme.ts';
import { wholeHour } from '#ui/times/time-format.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import type { Axis } from '../layout/axis.ts';
import { dayLabel } from '../layout/event-labels.ts';
import { ROW_PX } from './event-block.tsx';

export const HEAD_PX = 49;

type HeadProps = { day: Day; isToday: boolean; onPick: (day: Day) => void };

export function DayHead({ day, isToday, onPick }: HeadProps) {
  const date = dateOfDay(day);
  return (
    <Head $isToday={isToday}>
      <button
        type="button"
        // By keyboard, D opens the day of the cursor.
        tabIndex={-1}
        onClick={() => onPick(day)}
      >
        <span aria-hidden="true">{formatTime(date, { weekday: 'short' })}</span>
        <b aria-hidden="true">{date?.getDate()}</b>
        <VisuallyHidden>{`${dayLabel(day)}${isToday ? ', today' : ''}`}</VisuallyHidden>
      </button>
    </Head>
  );
}

const Head = styled.div<{ $isToday: boolean }>`
  position: sticky;
  top: 0;
  z-index: 5;
  height: ${HEAD_PX}px;
  padding: ${theme.space[2]} ${theme.space[1]};
  border-bottom: 1px solid ${theme.color.line};
  border-inline-start: 1px solid ${theme.color.line};
  background: ${theme.color.surface};
  > button {
    display: flex;
    align-items: baseline;
    justify-content: center;
    gap: ${theme.space[2]};
    width: 100%;
    min-height: 32px;
    border: 0;
    border-radius: ${theme.radius.md};
    background: transparent;
    color: ${({ $isToday }) => ($isToday ? theme.color.accent : theme.color.text)};
    cursor: pointer;
  }
  > button:hover {
    background: ${theme.color.hover};
  }
  > button:focus-visible {
    outline: 2px solid ${theme.color.accent};
    outline-offset: -2px;
  }
  span[aria-hidden] {
    font: 500 ${theme.text.xs};
    color: ${({ $isToday }) => ($isToday ? theme.color.accent : theme.color.text2)};
  }
  b {
    font: 600 ${theme.text.lg};
    line-height: 32px;
    font-variant-numeric: tabular-nums;
  }
`;

export function Hours({ axis }: { axis: Axis }) {
  return (
    <Gutter aria-hidden="true">
      {axis.rows.map(({ minutes, repeat }, position) =>
        minutes % 60 === 0 && position > 0 ? (
          <span key={`${minutes} ${repeat}`} style={{ top: position * ROW_PX }}>
            {wholeHour(new Date(2026, 0, 15, minutes / 60).getTime())}
          </span>
        ) : null,
      )}
    </Gutter>
  );
}

/** Returns the zone, such as 'GMT+5:45', or both offsets if the clocks change within these days. */
export function listZones({ days }: Axis): string[] {
  const instants = [days[0]?.start, days.at(-1)?.end].filter((at) => at !== undefined);
  const zones = instants.map((at) =>
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
