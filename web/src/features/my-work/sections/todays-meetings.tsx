import type { CalendarMeeting } from '@atrium/proto-events/http/meetings/meetings';
import { CalendarDays, Video } from 'lucide-react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { RESPONSES, spokenTimeRange } from '#entities/meeting/meeting-labels.ts';
import { useCalendarMeetings, useRefetchOnMeetingEnd } from '#entities/meeting/use-meetings.ts';
import { useNow, useToday } from '#lib/hooks/use-now.ts';
import { addDays, type Day, dateOfDay } from '#lib/time/day.ts';
import { buttonStyles } from '#ui/button.tsx';
import { DividedList } from '#ui/layout/primitives.ts';
import { captionStyles, ellipsis, hiddenInPrint, stretchedLink } from '#ui/mixins.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { Card } from '#ui/pages/card.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { Pill } from '#ui/pill.tsx';
import { theme } from '#ui/theme.ts';
import { clockTime, fullTime } from '#ui/times/time-format.ts';
import { QuietState } from './quiet-state.tsx';

/** From midnight to midnight in the time zone of the browser. */
const rangeOfDay = (day: Day) => ({
  from: (dateOfDay(day) ?? new Date()).toISOString(),
  to: (dateOfDay(addDays(day, 1)) ?? new Date()).toISOString(),
});

export function TodaysMeetings() {
  const query = useCalendarMeetings(rangeOfDay(useToday()));
  useRefetchOnMeetingEnd(query.data?.data);
  return (
    <Card title="Today’s meetings">
      <AsyncContent query={query} failure="Failed to load today’s meetings" skeletons={<SkeletonRows count={3} />}>
        {({ data }) =>
          data.length > 0 ? (
            <DividedList>
              {data.map((meeting) => (
                <MeetingRow key={meeting._id} meeting={meeting} />
              ))}
            </DividedList>
          ) : (
            <QuietState
              icon={<CalendarDays />}
              title="No meetings today"
              hint="Meetings that you are invited to will appear here."
              to="/meetings/calendar"
              action="Open the calendar"
            />
          )
        }
      </AsyncContent>
    </Card>
  );
}

function MeetingRow({ meeting }: { meeting: CalendarMeeting }) {
  const now = useNow();
  const isOver = Date.parse(meeting.endTime) <= now;
  const isNow = !isOver && Date.parse(meeting.startTime) <= now;
  const isOpenInvitation = meeting.response === 'pending' && meeting.abilities.respond && !isOver;
  const place = meeting.room?.name ?? meeting.location;
  return (
    <Row $isOver={isOver}>
      <Time dateTime={meeting.startTime} title={fullTime(meeting.startTime)}>
        {clockTime(meeting.startTime)}
        <small>{clockTime(meeting.endTime)}</small>
      </Time>
      <Text>
        <Title
          to={`/meetings?meeting=${meeting._id}`}
          dir="auto"
          title={meeting.title}
          aria-label={`${meeting.title}, ${spokenTimeRange(meeting)}`}
        >
          {meeting.title}
        </Title>
        {(place || isNow || isOpenInvitation || meeting.response === 'declined') && (
          <Meta>
            {isNow && <Pill tone="accent">Now</Pill>}
            {isOpenInvitation && <Pill>{RESPONSES.pending.label}</Pill>}
            {meeting.response === 'declined' && <Pill tone="danger">{RESPONSES.declined.label}</Pill>}
            {place && <span dir="auto">{place}</span>}
          </Meta>
        )}
      </Text>
      {meeting.meetingLink && !isOver && (
        <Join
          href={meeting.meetingLink}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`Join ${meeting.title}`}
          $size="sm"
          $variant={isNow ? 'primary' : 'secondary'}
          $full={false}
        >
          <Video aria-hidden="true" />
          Join
        </Join>
      )}
    </Row>
  );
}

const Row = styled.li<{ $isOver: boolean }>`
  position: relative;
  display: grid;
  grid-template-columns: minmax(48px, auto) minmax(0, 1fr) auto;
  align-items: center;
  gap: ${theme.space[3]};
  min-height: 64px;
  padding: ${theme.space[3]} ${theme.gutter.card};
  color: ${({ $isOver }) => ($isOver ? theme.color.text3 : theme.color.text)};
  &:hover {
    background: ${theme.color.hover};
  }
`;

const Time = styled.time`
  font: 500 ${theme.text.sm};
  font-variant-numeric: tabular-nums;
  small {
    display: block;
    font: ${theme.text.xs};
    color: ${theme.color.text3};
  }
`;

const Text = styled.div`
  min-width: 0;
`;

/* Covers the row, except for what has a link of its own. */
const Title = styled(Link)`
  display: block;
  font-weight: 500;
  ${ellipsis}
  ${stretchedLink}
  &:focus-visible::after {
    box-shadow: inset 0 0 0 2px ${theme.color.accent};
  }
`;

const Meta = styled.p`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 2px ${theme.space[2]};
  margin-top: 2px;
  ${captionStyles}
  overflow-wrap: anywhere;
`;

const Join = styled.a<{ $variant: 'primary' | 'secondary'; $size: 'sm'; $full: boolean }>`
  ${buttonStyles}
  position: relative;
  &:hover {
    text-decoration: none;
    background: ${({ $variant }) => ($variant === 'primary' ? theme.color.accentHover : theme.color.sunken)};
  }
  ${hiddenInPrint}
`;
