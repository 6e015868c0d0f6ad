import { CalendarDays } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { messageOf } from '../../lib/api/api-error.ts';
import { useRefreshAsMeetingsEnd } from '../../lib/cache/use-refresh-as-meetings-end.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Card } from '../../ui/pages/card.tsx';
import { EmptyState } from '../../ui/pages/empty-state.tsx';
import { ErrorState } from '../../ui/pages/error-state.tsx';
import { SkeletonRows } from '../../ui/pages/skeleton.tsx';
import { theme } from '../../ui/theme.ts';
import { MeetingItem } from './meeting-item.tsx';
import { useUpcomingMeetings } from './use-upcoming-meetings.ts';

const MAX_ITEMS = 5;

/** The next five meetings. */
export function UpcomingMeetings({ canSchedule }: { canSchedule: boolean }) {
  const { data, error, isValidating, mutate } = useUpcomingMeetings();
  useRefreshAsMeetingsEnd(data);
  const hasMeetings = data !== undefined && data.length > 0;
  const content = (): ReactNode => {
    if (hasMeetings)
      return (
        <ul>
          {data.slice(0, MAX_ITEMS).map((meeting) => (
            <Line key={meeting._id}>
              <MeetingItem meeting={meeting} />
            </Line>
          ))}
        </ul>
      );
    if (data)
      return (
        <EmptyState
          icon={<CalendarDays />}
          title="No upcoming meetings"
          hint="Meetings you are invited to will appear here."
          action={canSchedule && <ButtonLink to="/meetings?schedule=1">Schedule Meeting</ButtonLink>}
        />
      );
    if (error)
      return (
        <ErrorState
          title="Failed to load upcoming meetings"
          detail={messageOf(error, '')}
          onRetry={() => void mutate()}
          isRetrying={isValidating}
        />
      );
    return <SkeletonRows count={4} />;
  };
  const footer = hasMeetings && (
    <ButtonLink to="/meetings" isFullWidth>
      View All Meetings
    </ButtonLink>
  );
  return (
    <Card title="Upcoming Meetings" footer={footer}>
      {content()}
    </Card>
  );
}

const Line = styled.li`
  & + & {
    border-top: 1px solid ${theme.color.line};
  }
`;
