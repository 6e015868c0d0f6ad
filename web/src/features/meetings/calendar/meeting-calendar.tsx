import { type ReactNode, useMemo } from 'react';
import { styled } from 'styled-components';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { Card } from '../../../ui/pages/card.tsx';
import { ErrorState } from '../../../ui/pages/error-state.tsx';
import { SkeletonRows } from '../../../ui/pages/skeleton.tsx';
import { theme } from '../../../ui/theme.ts';
import { Calendar } from '../../../ui/times/calendar.tsx';
import { type Day, dateOfDay, dayInWords, dayOfDate } from '../../../ui/times/day.ts';
import { useMeetingsBetween } from '../use-meetings.ts';
import { DayMeeting } from './day-meeting.tsx';
import { dateOfMonth, dayRange, daysWith, monthOf, sheetRange } from './month-range.ts';

const PLACE = { day: '', month: '' };

/** A month with the days of meetings marked; picking a day lists what is on it. Both stand in the address. */
export function MeetingCalendar({ onView }: { onView: (id: string) => void }) {
  const [place, setPlace] = useUrlState(PLACE);
  const picked = dateOfDay(place.day);
  const month = place.month || monthOf(picked ?? new Date());
  const { data } = useMeetingsBetween(useMemo(() => sheetRange(month), [month]));
  const marked = useMemo(() => daysWith(data ?? []), [data]);
  return (
    <Card title="Meeting Calendar">
      <Sheet>
        <Calendar
          mode="single"
          month={dateOfMonth(month)}
          onMonthChange={(date) => setPlace({ month: monthOf(date) }, 'push')}
          selected={picked}
          onSelect={(date) => setPlace(date ? { day: dayOfDate(date), month: monthOf(date) } : { day: '' }, 'push')}
          modifiers={{ marked }}
          labels={{ labelDayButton: (date, { marked: has }) => `${dayName(date)}${has ? ', has meetings' : ''}` }}
        />
      </Sheet>
      {picked && <DayList day={place.day} onView={onView} />}
    </Card>
  );
}

const dayName = (date: Date) =>
  date.toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

function DayList({ day, onView }: { day: Day; onView: (id: string) => void }) {
  const { data, error, isValidating, mutate } = useMeetingsBetween(useMemo(() => dayRange(day), [day]));
  const content = (): ReactNode => {
    if (data && data.length > 0)
      return (
        <ul>
          {data.map((meeting) => (
            <li key={meeting._id}>
              <DayMeeting meeting={meeting} onView={onView} />
            </li>
          ))}
        </ul>
      );
    if (data) return <Quiet>No meetings on this day</Quiet>;
    if (error)
      return (
        <ErrorState
          title="Failed to load meetings"
          detail={messageOf(error, '')}
          onRetry={() => void mutate()}
          isRetrying={isValidating}
        />
      );
    return <SkeletonRows count={2} hasDisc={false} />;
  };
  return (
    <List aria-label={`Meetings on ${dayInWords(day)}`} aria-live="polite">
      <h3>{dayInWords(day)}</h3>
      {content()}
    </List>
  );
}

const Sheet = styled.div`
  display: grid;
  justify-content: center;
  padding: ${theme.space[3]} ${theme.space[4]} ${theme.space[4]};
  ${theme.media.small} {
    justify-content: stretch;
    padding: ${theme.space[2]} ${theme.space[3]} ${theme.space[3]};
    .rdp-month_grid {
      table-layout: fixed;
    }
  }
`;

const List = styled.section`
  padding-bottom: ${theme.space[2]};
  border-top: 1px solid ${theme.color.line};
  > h3 {
    padding: ${theme.space[3]} ${theme.space[5]} ${theme.space[1]};
    font: 500 ${theme.text.sm};
    color: ${theme.color.text2};
  }
  ${theme.media.compact} {
    > h3 {
      padding-inline: ${theme.space[4]};
    }
  }
`;

const Quiet = styled.p`
  padding: ${theme.space[1]} ${theme.space[5]} ${theme.space[3]};
  color: ${theme.color.text3};
  ${theme.media.compact} {
    padding-inline: ${theme.space[4]};
  }
`;
