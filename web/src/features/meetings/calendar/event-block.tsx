import { Repeat } from 'lucide-react';
import { type CSSProperties, memo } from 'react';
import { css, styled } from 'styled-components';
import { timeInMeetingZone } from '#entities/meeting/meeting-labels.ts';
import type { Day } from '#lib/time/day.ts';
import { formatTimeRange } from '#lib/time/formats.ts';
import { ellipsis } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { clockTime } from '#ui/times/time-format.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import type { CalendarEvent, ColumnItem } from '../layout/calendar-event.ts';
import { eventLabel, eventTitle, getImmovableReason } from '../layout/event-labels.ts';
import type { Placed } from '../layout/overlaps.ts';
import { eventKey } from '../layout/stops.ts';
import { eventStyles, getTone, hueStyle, type Tone } from './event-styles.ts';

/** Height of half an hour on the axis. */
export const ROW_PX = 24;
const TWO_LINES_PX = 38;
const THREE_LINES_PX = 58;
const LINE_PX = 16;
const ONE_LINE_PX = 22;

type Props = {
  placed: Placed<ColumnItem>;
  day: Day;
  isActive: boolean;
  isMoving: boolean;
  onOpen: (event: CalendarEvent) => void;
};

export const EventBlock = memo(function EventBlock({ placed, day, isActive, isMoving, onOpen }: Props) {
  const { item, column, columns, spread } = placed;
  const { event, start, end } = item;
  const height = (end - start) * ROW_PX;
  const isImmovable = getImmovableReason(event) !== undefined;
  const isShort = height < TWO_LINES_PX;
  const line = isShort ? Math.min(height - 2, ONE_LINE_PX) : LINE_PX;
  return (
    <Block
      type="button"
      data-stop={eventKey(day, event.id)}
      data-event={event.id}
      tabIndex={isActive ? 0 : -1}
      title={eventTitle(event)}
      onClick={() => onOpen(event)}
      $tone={getTone(event)}
      $isMoving={isMoving}
      $isShort={isShort}
      style={{
        ...hueStyle(event),
        top: start * ROW_PX + 1,
        height: height - 2,
        left: `${(column / columns) * 100}%`,
        width: `calc(${(spread / columns) * 100}% - 2px)`,
      }}
    >
      <Lines
        aria-hidden="true"
        $isShort={isShort}
        style={{ '--lines': linesOf(height), lineHeight: `${line}px` } as CSSProperties}
      >
        <b dir="auto">{event.title}</b>
        <Time>
          <i data-narrow={!isShort}>{clockTime(event.start)}</i>
          {!isShort && <i>{formatTimeRange(event.start, event.end)}</i>}
        </Time>
        {height >= THREE_LINES_PX && <DetailLine event={event} />}
      </Lines>
      <VisuallyHidden>{eventLabel(event)}</VisuallyHidden>
      {event.meeting?.isRecurring && !isShort && <Repeat aria-hidden="true" />}
      {!isImmovable && <Handle data-resize aria-hidden="true" />}
    </Block>
  );
});

const linesOf = (height: number) => Math.min(3, Math.max(1, Math.floor((height - 22) / LINE_PX)));

function DetailLine({ event: { meeting } }: { event: CalendarEvent }) {
  const detail = meeting && (timeInMeetingZone(meeting) ?? (meeting.room?.name || meeting.location));
  return detail ? <Detail dir="auto">{detail}</Detail> : null;
}

const Block = styled.button<{ $tone: Tone; $isMoving: boolean; $isShort: boolean }>`
  ${eventStyles}
  position: absolute;
  z-index: 1;
  display: flex;
  align-items: flex-start;
  gap: ${theme.space[1]};
  min-width: 0;
  padding: ${({ $isShort }) => ($isShort ? '0' : '2px')} 4px 0 8px;
  opacity: ${({ $isMoving }) => ($isMoving ? 0.4 : 1)};
  touch-action: manipulation;
  user-select: none;
  -webkit-touch-callout: none;
  > svg {
    flex: none;
    width: 12px;
    height: 12px;
    margin-top: 2px;
    color: ${theme.color.text3};
  }
`;

const Lines = styled.span<{ $isShort: boolean }>`
  container-type: inline-size;
  display: ${({ $isShort }) => ($isShort ? 'flex' : 'grid')};
  gap: ${({ $isShort }) => ($isShort ? '6px' : '0')};
  flex: 1;
  min-width: 0;
  > * {
    min-width: 0;
    ${ellipsis}
  }
  > b {
    ${({ $isShort }) =>
      !$isShort &&
      css`
        display: -webkit-box;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: var(--lines);
        white-space: normal;
        overflow-wrap: normal;
      `}
  }
  > span {
    color: ${theme.color.text2};
  }
`;

/* The range is hidden in narrow events, because it can be read off the grid. */
const Time = styled.span`
  flex: none;
  font-variant-numeric: tabular-nums;
  i {
    font-style: normal;
  }
  i[data-narrow='true'] {
    display: none;
  }
  @container (max-width: 92px) {
    i:last-child {
      display: none;
    }
    i:first-child {
      display: inline;
    }
  }
  @container (max-width: 64px) {
    display: none;
  }
`;

const Detail = styled.span`
  @container (max-width: 92px) {
    display: none;
  }
`;

const Handle = styled.span`
  position: absolute;
  inset: auto 0 0;
  height: 7px;
  cursor: ns-resize;
`;
