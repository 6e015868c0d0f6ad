import { CalendarDays } from 'lucide-react';
import { useUpcomingMeetings } from '#entities/meeting/use-meetings.ts';
import { useRefetchOnMeetingEnd } from '#entities/meeting/use-refetch-on-meeting-end.ts';
import { ButtonLink } from '#ui/button.tsx';
import { DividedList } from '#ui/layout/primitives.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { Card } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { MeetingItem } from './meeting-item.tsx';

const MAX_ITEMS = 5;

/** The next five meetings. */
export function UpcomingMeetings({ canSchedule }: { canSchedule: boolean }) {
  const answer = useUpcomingMeetings(MAX_ITEMS);
  useRefetchOnMeetingEnd(answer.data);
  const footer = (answer.data?.length ?? 0) > 0 && (
    <ButtonLink to="/meetings" isFullWidth>
      View All Meetings
    </ButtonLink>
  );
  return (
    <Card title="Upcoming Meetings" footer={footer}>
      <AsyncContent query={answer} failure="Failed to load upcoming meetings" skeletons={<SkeletonRows count={4} />}>
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
