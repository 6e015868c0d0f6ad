import { memo, useMemo } from 'react';
import { styled } from 'styled-components';
import { useNow } from '#lib/hooks/use-now.ts';
import { bareButton } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { clockTime } from '#ui/times/time-format.ts';
import { type Axis, type AxisDay, findGaps, getPosition, ROW_MS } from '../layout/axis.ts';
import type { CalendarEvent, ColumnItem, LoadState } from '../layout/calendar-event.ts';
import { countLabel, dayLabel, loadStateLabel } from '../layout/event-labels.ts';
import { placeSideBySide } from '../layout/overlaps.ts';
import type { Span } from '../layout/span.ts';
import { eventKey, type Stop } from '../layout/stops.ts';
import { EventBlock, ROW_PX } from './event-block.tsx';

type Props = {
  axis: Axis;
  day: AxisDay;
  items: readonly ColumnItem[];
  loadState: LoadState;
  isToday: boolean;
  active: Stop | null;
  movingEventId: string | null;
  onOpen: (event: CalendarEvent) => void;
  onSchedule: ((span: Span) => void) | undefined;
};

export const DayColumn = memo(function DayColumn(props: Props) {
  const { axis, day, items, loadState, isToday, active, movingEventId, onOpen, onSchedule } = props;
  const placements = useMemo(() => placeSideBySide(items), [items]);
  const slot = active?.kind === 'slot' ? active : null;
  return (
    <Column
      role="group"
      aria-label={`${dayLabel(day.day)}, ${countLabel(items.length, loadState)}`}
      data-free
      data-day={day.day}
      $isToday={isToday && axis.days.length > 1}
    >
      {findGaps(axis, day).map(({ start, end }) => (
        <Gap key={start} style={{ top: start * ROW_PX, height: (end - start) * ROW_PX }} />
      ))}
      {placements.map((placement) => (
        <EventBlock
          key={placement.item.event.id}
          placed={placement}
          day={day.day}
          isActive={active?.key === eventKey(day.day, placement.item.event.id)}
          isMoving={movingEventId === placement.item.event.id}
          onOpen={onOpen}
        />
      ))}
      {slot && (
        <Slot
          key={slot.key}
          type="button"
          data-stop={slot.key}
          aria-label={`${dayLabel(day.day)}, ${clockTime(slot.at)}, ${loadState ? loadStateLabel(loadState) : 'free'}${onSchedule ? ', schedule a meeting' : ''}`}
          onClick={() => onSchedule?.({ start: slot.at, end: slot.at + 2 * ROW_MS })}
          style={{ top: slot.position * ROW_PX }}
        />
      )}
      {isToday && <NowLine day={day} />}
    </Column>
  );
});

function NowLine({ day }: { day: AxisDay }) {
  const now = useNow();
  if (now < day.start || now >= day.end) return null;
  return <Now aria-hidden="true" style={{ top: getPosition(day, now) * ROW_PX }} />;
}

const Column = styled.div<{ $isToday: boolean }>`
  position: relative;
  min-width: 0;
  border-inline-start: 1px solid ${theme.color.line};
  background-color: ${({ $isToday }) => ($isToday ? `color-mix(in srgb, ${theme.color.accentSoft} 22%, transparent)` : 'transparent')};
  background-image: linear-gradient(${theme.color.line} 1px, transparent 1px);
  background-size: 100% ${2 * ROW_PX}px;
`;

const Gap = styled.div`
  position: absolute;
  inset-inline: 0;
  background: repeating-linear-gradient(135deg, ${theme.color.sunken} 0 4px, transparent 4px 8px);
`;

const Slot = styled.button`
  position: absolute;
  inset-inline: 0 2px;
  height: ${ROW_PX}px;
  padding: 0;
  ${bareButton}
  border-radius: ${theme.radius.sm};
  &:focus-visible {
    outline: 2px solid ${theme.color.accent};
    outline-offset: -2px;
    background: ${theme.color.accentSoft};
  }
`;

const Now = styled.div`
  position: absolute;
  z-index: 2;
  inset-inline: 0;
  height: 2px;
  margin-top: -1px;
  background: ${theme.color.danger};
  pointer-events: none;
  &::before {
    content: '';
    position: absolute;
    top: -3px;
    inset-inline-start: -4px;
    width: 8px;
    height: 8px;
    border-radius: ${theme.radius.full};
    background: inherit;
  }
`;
