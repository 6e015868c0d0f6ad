import { useMemo } from 'react';
import { styled } from 'styled-components';
import { ellipsis } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import type { Axis } from '../layout/axis.ts';
import { type CalendarEvent, isLong } from '../layout/calendar-event.ts';
import { eventLabel, eventTitle } from '../layout/event-labels.ts';
import { placeSideBySide } from '../layout/overlaps.ts';
import { overlaps } from '../layout/span.ts';
import { eventStyles, getTone, hueStyle, type Tone } from './event-styles.ts';
import { HEAD_PX } from './grid-headers.tsx';

type Props = { axis: Axis; events: readonly CalendarEvent[]; onOpen: (event: CalendarEvent) => void };

export function AllDayLane({ axis, events, onOpen }: Props) {
  const bars = useMemo(
    () =>
      placeSideBySide(
        events.filter(isLong).flatMap((event) => {
          const days = axis.days.flatMap((day, index) => (overlaps(day, event) ? [index] : []));
          const first = days[0];
          const last = days.at(-1);
          return first === undefined || last === undefined ? [] : [{ event, start: first, end: last + 1 }];
        }),
      ),
    [axis, events],
  );
  if (bars.length === 0) return null;
  return (
    <Lane>
      <span>All day</span>
      <Bars $days={axis.days.length}>
        {bars.map(({ item: { event, start, end }, column }) => (
          <Bar
            key={event.id}
            type="button"
            title={eventTitle(event)}
            onClick={() => onOpen(event)}
            $tone={getTone(event)}
            style={{ ...hueStyle(event), gridColumn: `${start + 1} / ${end + 1}`, gridRow: column + 1 }}
          >
            <b aria-hidden="true" dir="auto">
              {event.title}
            </b>
            <VisuallyHidden>{eventLabel(event)}</VisuallyHidden>
          </Bar>
        ))}
      </Bars>
    </Lane>
  );
}

const Lane = styled.div`
  position: sticky;
  top: ${HEAD_PX}px;
  z-index: 6;
  grid-column: 1 / -1;
  display: grid;
  grid-template-columns: subgrid;
  background: ${theme.color.surface};
  border-bottom: 1px solid ${theme.color.line};
  > span {
    padding: 6px ${theme.space[2]} 0 0;
    font: 11px / 16px var(--font);
    color: ${theme.color.text3};
    text-align: end;
  }
`;

const Bars = styled.div<{ $days: number }>`
  grid-column: 2 / -1;
  display: grid;
  grid-template-columns: repeat(${({ $days }) => $days}, minmax(0, 1fr));
  gap: 2px;
  padding: ${theme.space[1]} 2px;
`;

const Bar = styled.button<{ $tone: Tone }>`
  ${eventStyles}
  position: relative;
  min-width: 0;
  height: 22px;
  padding: 0 6px 0 10px;
  ${ellipsis}
`;
