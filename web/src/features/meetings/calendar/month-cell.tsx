import { memo } from 'react';
import { styled } from 'styled-components';
import { type Day, dateOfDay } from '#lib/time/day.ts';
import { formatTime } from '#lib/time/formats.ts';
import { bareButton, ellipsis, inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { getDayBounds } from '../layout/axis.ts';
import type { CalendarEvent, LoadState } from '../layout/calendar-event.ts';
import { countLabel, dayLabel, eventLabel, eventTitle, timeOnDay } from '../layout/event-labels.ts';
import { eventKey, type Stop } from '../layout/stops.ts';
import { eventStyles, getTone, hueStyle, type Tone } from './event-styles.ts';

type Props = {
  day: Day;
  isToday: boolean;
  isOutside: boolean;
  /** The number of all events of the day. */
  eventCount: number;
  /** The events that fit. */
  visibleEvents: readonly CalendarEvent[];
  loadState: LoadState;
  isSmall: boolean;
  /** The key of the tab stop, if it is on this day. */
  active: string | null;
  movingEventId: string | null;
  first: Stop | undefined;
  onOpen: (event: CalendarEvent) => void;
  onPick: (day: Day) => void;
  onEnter: (stop: Stop | undefined) => void;
  onSchedule: ((day: Day) => void) | undefined;
};

const DOTS = 3;

/** A day of the month grid. Its number leads to its events if pressed by keyboard, otherwise to the day view. */
export const MonthCell = memo(function MonthCell(props: Props) {
  const {
    day,
    isToday,
    isOutside,
    eventCount,
    visibleEvents,
    loadState,
    isSmall,
    active,
    movingEventId,
    first,
    onOpen,
    onPick,
    onEnter,
    onSchedule,
  } = props;
  const count = countLabel(eventCount, loadState);
  const schedulesOnEnter = !isSmall && !first && onSchedule !== undefined;
  const stopProps = (key: string) => ({ 'data-stop': key, tabIndex: active === key ? 0 : -1 });
  /** Handles a press of the day number; a click by keyboard has no coordinates. */
  const press = (isKey: boolean) => {
    if (isKey && first) onEnter(first);
    else if (isKey && schedulesOnEnter) onSchedule?.(day);
    else onPick(day);
  };
  return (
    <Cell $isOutside={isOutside} role="group" aria-label={dayLabel(day)}>
      <DayNumber
        type="button"
        {...stopProps(`${day} day`)}
        onClick={({ detail }) => press(detail === 0 && !isSmall)}
        $isToday={isToday}
      >
        <span aria-hidden="true">{formatDayNumber(day)}</span>
        <VisuallyHidden>
          {`${dayLabel(day)}${isToday ? ', today' : ''}, ${count}${schedulesOnEnter ? ', schedule a meeting' : ''}`}
        </VisuallyHidden>
      </DayNumber>
      {isSmall ? (
        <Dots aria-hidden="true">
          {visibleEvents.slice(0, DOTS).map((event) => (
            <i key={event.id} />
          ))}
          {eventCount > DOTS && <span>+{eventCount - DOTS}</span>}
        </Dots>
      ) : (
        <>
          {visibleEvents.map((event) => (
            <Chip
              key={event.id}
              type="button"
              {...stopProps(eventKey(day, event.id))}
              data-event={event.id}
              title={eventTitle(event)}
              onClick={() => onOpen(event)}
              style={hueStyle(event)}
              $tone={getTone(event)}
              $isMoving={movingEventId === event.id}
            >
              <time aria-hidden="true">{timeOnDay(getDayBounds(day), event)}</time>
              <b aria-hidden="true" dir="auto">
                {event.title}
              </b>
              <VisuallyHidden>{eventLabel(event)}</VisuallyHidden>
            </Chip>
          ))}
          {eventCount > visibleEvents.length && (
            <More type="button" {...stopProps(`${day} more`)} onClick={() => onPick(day)}>
              +{eventCount - visibleEvents.length} more
            </More>
          )}
          {onSchedule && <Free aria-hidden="true" onDoubleClick={() => onSchedule(day)} />}
        </>
      )}
    </Cell>
  );
});

function formatDayNumber(day: Day): string {
  const date = dateOfDay(day);
  return date?.getDate() === 1 ? formatTime(date, { day: 'numeric', month: 'short' }) : String(date?.getDate() ?? '');
}

const Cell = styled.div<{ $isOutside: boolean }>`
  position: relative;
  display: flex;
  flex-direction: column;
  gap: 2px;
  min-width: 0;
  padding: ${theme.space[1]};
  border-inline-start: 1px solid ${theme.color.line};
  border-top: 1px solid ${theme.color.line};
  background: ${({ $isOutside }) => ($isOutside ? `color-mix(in srgb, ${theme.color.sunken} 45%, transparent)` : 'transparent')};
  &:nth-child(7n + 1) {
    border-inline-start: 0;
  }
  &:nth-child(-n + 7) {
    border-top: 0;
  }
`;

const DayNumber = styled.button<{ $isToday: boolean }>`
  align-self: flex-start;
  flex: none;
  min-width: 24px;
  height: 24px;
  padding: 0 6px;
  border: 0;
  border-radius: ${theme.radius.full};
  background: ${({ $isToday }) => ($isToday ? theme.color.accent : 'transparent')};
  color: ${({ $isToday }) => ($isToday ? theme.color.onAccent : theme.color.text2)};
  font: 500 ${theme.text.xs};
  font-variant-numeric: tabular-nums;
  cursor: pointer;
  z-index: 1;
  &:hover {
    text-decoration: underline;
  }
  &:focus-visible {
    outline: 2px solid ${theme.color.accent};
    outline-offset: 1px;
  }
  ${theme.media.small} {
    align-self: stretch;
    height: 44px;
    border-radius: ${theme.radius.md};
  }
`;

const Chip = styled.button<{ $tone: Tone; $isMoving: boolean }>`
  ${eventStyles}
  position: relative;
  z-index: 1;
  ${inlineStyles('6px')}
  flex: none;
  min-width: 0;
  height: 22px;
  padding: 0 6px 0 9px;
  opacity: ${({ $isMoving }) => ($isMoving ? 0.4 : 1)};
  user-select: none;
  -webkit-touch-callout: none;
  time {
    flex: none;
    color: ${theme.color.text2};
    font-variant-numeric: tabular-nums;
  }
  b {
    min-width: 0;
    ${ellipsis}
  }
`;

const More = styled.button`
  z-index: 1;
  align-self: flex-start;
  height: 22px;
  padding: 0 8px;
  ${bareButton}
  border-radius: ${theme.radius.sm};
  color: ${theme.color.text2};
  font: 500 ${theme.text.xs};
  &:hover {
    background: ${theme.color.hover};
    color: ${theme.color.text};
  }
  &:focus-visible {
    outline: 2px solid ${theme.color.accent};
    outline-offset: -2px;
  }
`;

const Free = styled.div`
  position: absolute;
  inset: 0;
`;

const Dots = styled.div`
  display: flex;
  align-items: center;
  justify-content: center;
  gap: 2px;
  height: 12px;
  i {
    width: 5px;
    height: 5px;
    border-radius: ${theme.radius.full};
    background: ${theme.color.accent};
  }
  span {
    font: 10px / 12px var(--font);
    color: ${theme.color.text2};
  }
`;
