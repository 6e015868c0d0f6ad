import { isolate } from '@atrium/proto-events/text/isolate';
import { CalendarDays } from 'lucide-react';
import { useMemo } from 'react';
import { styled } from 'styled-components';
import { RESPONSES, TYPE_LABELS, timeInMeetingZone } from '#entities/meeting/meeting-labels.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { dateOfDay } from '#lib/time/day.ts';
import { bareButton, captionStyles, dividedStyles, ellipsis } from '#ui/mixins.ts';
import { CardSurface } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonBlock } from '#ui/pages/skeleton.tsx';
import { Pill } from '#ui/pill.tsx';
import { theme } from '#ui/theme.ts';
import { DayTile } from '#ui/times/day-tile.tsx';
import { getDayBounds } from '../layout/axis.ts';
import { type CalendarEvent, onDay } from '../layout/calendar-event.ts';
import { dayLabel, spanOnDay } from '../layout/event-labels.ts';
import type { Span } from '../layout/span.ts';
import type { GridProps } from './grid-props.ts';

type Props = Pick<GridProps, 'days' | 'today' | 'events' | 'loadState' | 'label' | 'onOpen'>;

export function Agenda({ days, today, events, loadState, label, onOpen }: Props) {
  const filledDays = useMemo(
    () =>
      days
        .map((day) => ({ day, bounds: getDayBounds(day), eventsOfDay: onDay(getDayBounds(day), events) }))
        .filter(({ eventsOfDay }) => eventsOfDay.length > 0),
    [days, events],
  );
  if (loadState) return loadState === 'loading' ? <SkeletonBlock height={240} /> : null;
  if (filledDays.length === 0)
    return (
      <Surface as="section">
        <EmptyState
          icon={<CalendarDays />}
          title="No meetings in these weeks"
          hint="Meetings on these days will appear here."
        />
      </Surface>
    );
  return (
    <Surface as="section" aria-label={label}>
      {filledDays.map(({ day, bounds, eventsOfDay }) => (
        <DayRow key={day} aria-label={dayLabel(day)}>
          <DayTile date={dateOfDay(day) ?? new Date()} isToday={day === today} />
          <div>
            <h3>{`${dayLabel(day)}${day === today ? ', today' : ''}`}</h3>
            <ul>
              {eventsOfDay.map((event) => (
                <li key={event.id}>
                  <Line event={event} day={bounds} onOpen={onOpen} />
                </li>
              ))}
            </ul>
          </div>
        </DayRow>
      ))}
    </Surface>
  );
}

function Line({ event, day, onOpen }: { event: CalendarEvent; day: Span; onOpen: Props['onOpen'] }) {
  const { meeting } = event;
  if (!meeting)
    return (
      <EventRow>
        <time>{spanOnDay(day, event)}</time>
        <b>Busy</b>
      </EventRow>
    );
  const details = [
    timeInMeetingZone(meeting),
    meeting.room?.name,
    meeting.location,
    TYPE_LABELS[meeting.type],
    `by ${isolate(displayName(meeting.organizer))}`,
  ].flatMap((detail) => (detail ? [isolate(detail)] : []));
  return (
    <EventButton type="button" onClick={() => onOpen(event)} $isPast={meeting.isPast}>
      <time>{spanOnDay(day, event)}</time>
      <span>
        <b dir="auto">{event.title}</b>
        <small>{details.join(' · ')}</small>
      </span>
      {meeting.response && meeting.response !== 'accepted' && (
        <Pill tone={RESPONSES[meeting.response].tone}>{RESPONSES[meeting.response].label}</Pill>
      )}
    </EventButton>
  );
}

const Surface = styled(CardSurface)`
  overflow: hidden;
`;

/* Days outside the viewport are not rendered. */
const DayRow = styled.section`
  display: grid;
  grid-template-columns: 44px minmax(0, 1fr);
  gap: ${theme.space[4]};
  padding: ${theme.space[3]} ${theme.space[5]};
  content-visibility: auto;
  contain-intrinsic-size: auto 120px;
  ${dividedStyles}
  h3 {
    padding: 0 ${theme.space[3]} ${theme.space[1]};
    font: 500 ${theme.text.sm};
    color: ${theme.color.text2};
  }
  ${theme.media.small} {
    grid-template-columns: minmax(0, 1fr);
    padding-inline: ${theme.space[3]};
    > :first-child {
      display: none;
    }
  }
`;

const EventRow = styled.div`
  display: grid;
  grid-template-columns: 152px minmax(0, 1fr) auto;
  align-items: baseline;
  gap: ${theme.space[1]} ${theme.space[4]};
  width: 100%;
  min-height: 44px;
  padding: 6px ${theme.space[3]};
  time {
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
    color: ${theme.color.text2};
  }
  time + span {
    display: grid;
    min-width: 0;
  }
  b,
  small {
    ${ellipsis}
    font-weight: 500;
  }
  small {
    ${captionStyles}
  }
  ${theme.media.small} {
    grid-template-columns: minmax(0, 1fr) auto;
    time {
      grid-column: 1 / -1;
      font: ${theme.text.sm};
    }
  }
`;

const EventButton = styled(EventRow).attrs({ as: 'button' })<{ type: 'button'; $isPast: boolean }>`
  ${bareButton}
  border-radius: ${theme.radius.md};
  color: ${({ $isPast }) => ($isPast ? theme.color.text2 : theme.color.text)};
  font: ${theme.text.md};
  text-align: start;
  &:hover {
    background: ${theme.color.hover};
  }
  &:focus-visible {
    outline: 2px solid ${theme.color.accent};
    outline-offset: -2px;
  }
`;
