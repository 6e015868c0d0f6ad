import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { Suspense } from 'react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { meetingTimeText } from '#entities/meeting/meeting-labels.ts';
import { useMeetingList, useRefetchOnMeetingEnd } from '#entities/meeting/use-meetings.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { captionStyles, ellipsis } from '#ui/mixins.ts';
import { Card } from '#ui/pages/card.tsx';
import { theme } from '#ui/theme.ts';

const OpenDecisions = lazyNamed(() => import('./open-decisions.tsx'), 'OpenDecisions');

const MAX_MEETINGS = 2;

export function ProjectMeetings({ project }: { project: string }) {
  const next = useMeetingList({ project, timeFilter: 'upcoming', limit: MAX_MEETINGS }).data;
  const last = useMeetingList({ project, timeFilter: 'past', limit: MAX_MEETINGS }).data;
  useRefetchOnMeetingEnd(next?.data);
  if (!next || !last || next.total + last.total === 0) return null;
  return (
    <Section>
      <Card title="Project meetings" action={<Link to={`/meetings?project=${project}`}>All meetings</Link>}>
        <Columns>
          <MeetingColumn title="Next" meetings={next.data} none="None planned" />
          <MeetingColumn title="Last" meetings={last.data} none="None yet" />
        </Columns>
      </Card>
      <Suspense fallback={null}>
        <OpenDecisions project={project} />
      </Suspense>
    </Section>
  );
}

function MeetingColumn({ title, meetings, none }: { title: string; meetings: readonly Meeting[]; none: string }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {meetings.length === 0 ? (
        <p>{none}</p>
      ) : (
        <ul>
          {meetings.map((meeting) => (
            <li key={meeting._id}>
              <Link to={`/meetings?meeting=${meeting._id}`}>
                <bdi>{meeting.title}</bdi>
              </Link>
              <time dateTime={meeting.startTime}>{meetingTimeText(meeting)}</time>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const Section = styled.div`
  margin-top: ${theme.space[6]};
  ${theme.media.compact} {
    margin-top: ${theme.space[5]};
  }
`;

const Columns = styled.div`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: ${theme.space[4]} ${theme.space[5]};
  padding: ${theme.space[4]} ${theme.gutter.card};
  ${theme.media.small} {
    grid-template-columns: minmax(0, 1fr);
  }
  h3 {
    margin-bottom: ${theme.space[1]};
    font: 500 ${theme.text.sm};
    color: ${theme.color.text2};
  }
  p,
  time {
    ${captionStyles}
  }
  li + li {
    margin-top: ${theme.space[2]};
  }
  a {
    display: block;
    ${ellipsis}
  }
  time {
    display: block;
  }
`;
