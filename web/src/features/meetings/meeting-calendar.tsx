import type { CalendarMeeting } from '@atrium/proto-events/http/meetings/meetings';
import { useMemo, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { timeRange } from '#entities/meeting/meeting-labels.ts';
import { useCalendarMeetings } from '#entities/meeting/use-meetings.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { type Day, dateOfDay, dayLabel, dayOfDate } from '#lib/time/day.ts';
import { bareButton, captionStyles, ellipsis, insetFocusRing } from '#ui/mixins.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { Card } from '#ui/pages/card.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { Calendar, toCalendarDate } from '#ui/times/calendar.tsx';
import { clockTime } from '#ui/times/time-format.ts';
import { dateOfMonth, dayRange, daysWithMeetings, monthOf, sheetRange } from './layout/month-range.ts';

function DayMeeting({ meeting, onView }: { meeting: CalendarMeeting; onView: (id: string) => void }) {
  return (
    <Line onPress={() => onView(meeting._id)} aria-label={`${timeRange(meeting)}, ${meeting.title}`}>
      <time dateTime={meeting.startTime}>{clockTime(meeting.startTime)}</time>
      <span title={meeting.title} dir="auto">
        {meeting.title}
      </span>
    </Line>
  );
}

const Line = styled(Button)`
  display: grid;
  grid-template-columns: max-content minmax(0, 1fr);
  align-items: baseline;
  gap: ${theme.space[3]};
  width: 100%;
  min-height: ${theme.control};
  padding: ${theme.space[2]} ${theme.gutter.card};
  ${bareButton}
  color: ${theme.color.text};
  font: ${theme.text.md};
  text-align: start;
  &[data-hovered] {
    background: ${theme.color.hover};
  }
  ${insetFocusRing}
  time {
    ${captionStyles}
    font-variant-numeric: tabular-nums;
  }
  span {
    ${ellipsis}
  }
`;

const URL_DEFAULTS = { day: '', month: '' };

const buildQuery = (range: { from: string; to: string } | null, project: string) =>
  range && { ...range, whose: 'all' as const, ...(project !== '' && { project }) };

type Props = {
  /** A project id, or empty for all projects. */
  project: string;
  onView: (id: string) => void;
};

export function MeetingCalendar({ project, onView }: Props) {
  const [urlState, setUrlState] = useUrlState(URL_DEFAULTS);
  const [focusedDay, setFocusedDay] = useState<Day>('');
  const pickedDate = dateOfDay(urlState.day);
  const month = monthOf(dateOfMonth(urlState.month || monthOf(pickedDate ?? new Date())));
  const { data } = useCalendarMeetings(buildQuery(sheetRange(month), project));
  const days = useMemo(() => daysWithMeetings(data?.data ?? []), [data]);
  const candidates = [focusedDay, urlState.day, dayOfDate(new Date())];
  const tabStopDay = candidates.find((day) => day.startsWith(month)) ?? `${month}-01`;
  const focus = (day: Day) => {
    setFocusedDay(day);
    if (!day.startsWith(month)) setUrlState({ month: day.slice(0, 7) }, 'push');
  };
  return (
    <Card title="Meeting Calendar">
      <MonthSheet>
        <Calendar
          value={toCalendarDate(urlState.day)}
          onChange={(date) => setUrlState(`${date}` === urlState.day ? { day: '' } : { day: `${date}`, month }, 'push')}
          focusedValue={toCalendarDate(tabStopDay)}
          onFocusChange={(date) => focus(`${date}`)}
          markedDays={{ days, description: 'has meetings' }}
        />
      </MonthSheet>
      {pickedDate && <DayList day={urlState.day} project={project} onView={onView} />}
    </Card>
  );
}

function DayList({ day, project, onView }: Props & { day: Day }) {
  const meetingsOfDay = useCalendarMeetings(buildQuery(dayRange(day), project));
  return (
    <List aria-label={`Meetings on ${dayLabel(day)}`} aria-live="polite">
      <h3>{dayLabel(day)}</h3>
      <AsyncContent
        query={meetingsOfDay}
        failure="Failed to load meetings"
        skeletons={<SkeletonRows count={2} hasDisc={false} />}
      >
        {({ data: meetings }) =>
          meetings.length > 0 ? (
            <ul>
              {meetings.map((meeting) => (
                <li key={meeting._id}>
                  <DayMeeting meeting={meeting} onView={onView} />
                </li>
              ))}
            </ul>
          ) : (
            <EmptyText>No meetings on this day</EmptyText>
          )
        }
      </AsyncContent>
    </List>
  );
}

const MonthSheet = styled.div`
  display: grid;
  justify-content: center;
  padding: ${theme.space[3]} ${theme.space[4]} ${theme.space[4]};
  ${theme.media.small} {
    justify-content: stretch;
    padding: ${theme.space[2]} ${theme.space[3]} ${theme.space[3]};
  }
`;

const List = styled.section`
  padding-bottom: ${theme.space[2]};
  border-top: 1px solid ${theme.color.line};
  > h3 {
    padding: ${theme.space[3]} ${theme.gutter.card} ${theme.space[1]};
    font: 500 ${theme.text.sm};
    color: ${theme.color.text2};
  }
`;

const EmptyText = styled.p`
  padding: ${theme.space[1]} ${theme.gutter.card} ${theme.space[3]};
  color: ${theme.color.text3};
`;
