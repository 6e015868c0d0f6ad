import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { CalendarDays } from 'lucide-react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { timeRange } from '#entities/meeting/meeting-labels.ts';
import { SoonPill } from '#entities/meeting/soon-pill.tsx';
import { useRefetchOnMeetingEnd, useUpcomingMeetings } from '#entities/meeting/use-meetings.ts';
import { countPeople } from '#entities/user/user-labels.ts';
import { useNow } from '#lib/hooks/use-now.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { DividedList, Inline } from '#ui/layout/primitives.ts';
import { captionStyles, ellipsis, stretchedLink } from '#ui/mixins.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { Card } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { DayTile } from '#ui/times/day-tile.tsx';
import { daysFromToday, fullTime } from '#ui/times/time-format.ts';

const MAX_ITEMS = 5;

export function UpcomingMeetings({ canSchedule }: { canSchedule: boolean }) {
  const upcoming = useUpcomingMeetings(MAX_ITEMS);
  useRefetchOnMeetingEnd(upcoming.data);
  const footer = (upcoming.data?.length ?? 0) > 0 && (
    <ButtonLink to="/meetings" isFullWidth>
      View All Meetings
    </ButtonLink>
  );
  return (
    <Card title="Upcoming Meetings" footer={footer}>
      <AsyncContent query={upcoming} failure="Failed to load upcoming meetings" skeletons={<SkeletonRows count={4} />}>
        {(meetings) =>
          meetings.length > 0 ? (
            <DividedList>
              {meetings.slice(0, MAX_ITEMS).map((meeting) => (
                <li key={meeting._id}>
                  <MeetingItem meeting={meeting} />
                </li>
              ))}
            </DividedList>
          ) : (
            <EmptyState
              icon={<CalendarDays />}
              title="No upcoming meetings"
              hint="Meetings you are invited to will appear here."
              action={canSchedule && <ButtonLink to="/meetings?schedule=1">Schedule Meeting</ButtonLink>}
            />
          )
        }
      </AsyncContent>
    </Card>
  );
}

/** Shows an upcoming meeting, or a series with its next occurrence, and links to it. */
export function MeetingItem({ meeting }: { meeting: Meeting }) {
  const start = new Date(meeting.startTime);
  const distance = daysFromToday(meeting.startTime, new Date(useNow()));
  return (
    <Item>
      <DayTile date={start} isToday={distance === 0} showsName />
      <div>
        <Inline $gap={2}>
          <Title
            to={`/meetings?meeting=${meeting._id}`}
            title={meeting.title}
            dir="auto"
            aria-label={`${meeting.title}, ${fullTime(meeting.startTime)}`}
          >
            {meeting.title}
          </Title>
          <SoonPill distance={distance} />
        </Inline>
        <CardMeta>
          <time dateTime={meeting.startTime} title={fullTime(meeting.startTime)}>
            {timeRange(meeting)}
          </time>
          {meeting.location && <span dir="auto">{meeting.location}</span>}
          {meeting.moreInSeries ? <span>and {formatNumber(meeting.moreInSeries)} more</span> : null}
          {meeting.meetingLink && (
            <Join href={meeting.meetingLink} target="_blank" rel="noopener noreferrer">
              Join Online
            </Join>
          )}
          <span>{countPeople(meeting.participantCount, 'participant')}</span>
        </CardMeta>
      </div>
    </Item>
  );
}

const Item = styled.div`
  position: relative;
  display: grid;
  grid-template-columns: 44px minmax(0, 1fr);
  align-items: center;
  gap: ${theme.space[4]};
  padding: ${theme.space[4]} ${theme.gutter.card};
  > div {
    min-width: 0;
  }
  &:hover {
    background: ${theme.color.hover};
  }
`;

/* Covers the whole row; elements above it have links of their own. */
const Title = styled(Link)`
  min-width: 0;
  font-weight: 500;
  ${ellipsis}
  ${stretchedLink}
  &:focus-visible::after {
    box-shadow: inset 0 0 0 2px ${theme.color.accent};
  }
`;

/* As tall as a target must be (24px), without a taller line. */
const Join = styled.a`
  position: relative;
  padding-block: 3px;
  margin-block: -3px;
`;

const CardMeta = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 2px ${theme.space[3]};
  margin-top: 2px;
  ${captionStyles}
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
  > * {
    min-width: 0;
  }
`;
