import type { MeetingSummary } from '@atrium/proto-events/http/chat/summaries';
import { isolate } from '@atrium/proto-events/text/isolate';
import { ClipboardCheck } from 'lucide-react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { useMeeting } from '#entities/meeting/use-meetings.ts';
import { useTasksById } from '#entities/task/use-tasks.ts';
import { captionStyles, inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { shortDate } from '#ui/times/time-format.ts';
import { CardIcon } from './link-card.tsx';
import { TaskChip } from './message-tasks.tsx';

/** The summary and the decisions of a closed meeting. */
export function SummaryCard({ summary }: { summary: MeetingSummary }) {
  const { title, startTime, text, decisions } = summary;
  return (
    <Card aria-label={`Summary of ${isolate(title)}`}>
      <Head>
        <CardIcon>
          <ClipboardCheck />
        </CardIcon>
        <div>
          <Title summary={summary} />
          <Day>Meeting summary, {shortDate(startTime)}</Day>
        </div>
      </Head>
      {text !== '' && <Text dir="auto">{text}</Text>}
      {decisions.length > 0 && (
        <section>
          <Label>{decisions.length === 1 ? 'Decision' : 'Decisions'}</Label>
          <Decisions>
            {decisions.map((decision) => (
              <li key={decision._id}>
                {decision.task === null ? (
                  <bdi>{decision.text}</bdi>
                ) : (
                  <DecisionTask text={decision.text} id={decision.task} />
                )}
              </li>
            ))}
          </Decisions>
        </section>
      )}
    </Card>
  );
}

/** The task has the text of the decision until it is renamed. */
function DecisionTask({ text, id }: { text: string; id: string }) {
  const task = useTasksById([id]).data?.data[0];
  return (
    <>
      {task?.title !== text && <bdi>{text}</bdi>}
      {task && <TaskChip task={task} />}
    </>
  );
}

/** A link for those who can see the meeting. */
function Title({ summary: { meeting, title } }: { summary: MeetingSummary }) {
  const { data } = useMeeting(meeting);
  const name = <bdi>{title}</bdi>;
  return <strong>{data ? <Link to={`/meetings?meeting=${meeting}`}>{name}</Link> : name}</strong>;
}

const Card = styled.section`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${theme.space[3]};
  max-width: 560px;
  margin: ${theme.space[1]} 0;
  padding: ${theme.space[4]};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.surface};
  overflow-wrap: anywhere;
`;

const Head = styled.header`
  ${inlineStyles(3)}
  > div {
    min-width: 0;
  }
`;

const Day = styled.p`
  ${captionStyles}
`;

const Text = styled.p`
  line-height: 22px;
  white-space: pre-line;
`;

const Label = styled.h4`
  margin-bottom: ${theme.space[1]};
  font: 600 ${theme.text.sm};
  color: ${theme.color.text2};
`;

const Decisions = styled.ul`
  display: grid;
  gap: ${theme.space[2]};
  margin: 0;
  padding-inline-start: ${theme.space[5]};
  line-height: 22px;
  list-style: disc;
`;
