import type { CalendarMeeting } from '@atrium/proto-events/http/meetings';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { timeRange } from '#entities/meeting/meeting-labels.ts';
import { theme } from '#ui/theme.ts';
import { clockTime } from '#ui/times/time-format.ts';

export function DayMeeting({ meeting, onView }: { meeting: CalendarMeeting; onView: (id: string) => void }) {
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
  padding: ${theme.space[2]} ${theme.space[5]};
  border: 0;
  background: transparent;
  color: ${theme.color.text};
  font: ${theme.text.md};
  text-align: start;
  cursor: pointer;
  &[data-hovered] {
    background: ${theme.color.hover};
  }
  &[data-focus-visible] {
    outline: none;
    box-shadow: inset 0 0 0 2px ${theme.color.accent};
  }
  time {
    font: ${theme.text.sm};
    font-variant-numeric: tabular-nums;
    color: ${theme.color.text2};
  }
  span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  ${theme.media.compact} {
    padding-inline: ${theme.space[4]};
  }
`;
