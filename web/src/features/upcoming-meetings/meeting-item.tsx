import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { timeRange } from '../../entities/meeting/meeting-words.ts';
import { SoonPill } from '../../entities/meeting/soon-pill.tsx';
import { countPeople } from '../../entities/person/person.ts';
import { useNow } from '../../lib/hooks/use-now.ts';
import { rowLink } from '../../ui/pages/row-link.ts';
import { theme } from '../../ui/theme.ts';
import { DayTile } from '../../ui/times/day-tile.tsx';
import { daysFromToday, fullTime } from '../../ui/times/time-words.ts';

/** One meeting to come; it leads to the meetings. */
export function MeetingItem({ meeting }: { meeting: Meeting }) {
  const start = new Date(meeting.startTime);
  const distance = daysFromToday(meeting.startTime, new Date(useNow()));
  return (
    <Item to="/meetings">
      <DayTile date={start} isToday={distance === 0} isNamed />
      <div>
        <Line>
          <strong title={meeting.title}>{meeting.title}</strong>
          <SoonPill distance={distance} />
        </Line>
        <Facts>
          <time dateTime={meeting.startTime} title={fullTime(meeting.startTime)}>
            {timeRange(meeting)}
          </time>
          {meeting.location && <span>{meeting.location}</span>}
          {meeting.meetingLink && <span>Join Online</span>}
          <span>{countPeople(meeting.participantCount ?? meeting.participants.length, 'participant')}</span>
        </Facts>
      </div>
    </Item>
  );
}

const Item = styled(Link)`
  display: grid;
  grid-template-columns: 44px minmax(0, 1fr);
  align-items: center;
  gap: ${theme.space[4]};
  padding: ${theme.space[4]} ${theme.space[5]};
  ${rowLink}
  ${theme.media.compact} {
    padding: ${theme.space[4]};
  }
`;

const Line = styled.div`
  display: flex;
  align-items: center;
  gap: ${theme.space[2]};
  strong {
    font-weight: 500;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
`;

const Facts = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 2px ${theme.space[3]};
  margin-top: 2px;
  font: ${theme.text.sm};
  font-variant-numeric: tabular-nums;
  color: ${theme.color.text2};
`;
