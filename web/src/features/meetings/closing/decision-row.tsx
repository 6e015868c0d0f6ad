import type { Decision } from '@atrium/proto-events/http/meetings/closing';
import { Check, RotateCcw, Undo2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { dayLabel, storedDay } from '#lib/time/day.ts';
import { Button } from '#ui/button.tsx';
import { Caption, Inline } from '#ui/layout/primitives.ts';
import { captionStyles, dividedStyles } from '#ui/mixins.ts';
import { FormFailure } from '#ui/notice.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { Pill, type PillTone } from '#ui/pill.tsx';
import { theme } from '#ui/theme.ts';
import { shortDate } from '#ui/times/time-format.ts';
import { useClosingActions } from './use-closing-actions.ts';

type Props = {
  decision: Decision;
  hasMeeting?: boolean;
};

export function DecisionRow({ decision, hasMeeting = false }: Props) {
  const { text, assignedTo, dueDate, rejection, abilities, isDone, meeting, task, project } = decision;
  const { decide } = useClosingActions();
  const settle = useAction((done: boolean) => decide(decision, { done }), 'Failed to change the decision');
  const retry = useAction(
    (assigneeId: string | null) => decide(decision, { tryAgain: true, assignedTo: assigneeId }),
    'Failed to retry',
  );
  const state = decisionLabel(decision);
  return (
    <Row>
      <TextColumn>
        <strong>
          {task && project ? (
            // Replaces the history entry of the open dialog, so that Back leads to the list.
            <Link to={`/progress/${project}?task=${task._id}`} replace={!hasMeeting}>
              <bdi>{text}</bdi>
            </Link>
          ) : (
            <bdi>{text}</bdi>
          )}
        </strong>
        <DecisionMeta>
          <Pill tone={state.tone}>{state.label}</Pill>
          {assignedTo && (
            <span>
              <Avatar user={assignedTo} size={20} /> <bdi>{displayName(assignedTo)}</bdi>
            </span>
          )}
          {dueDate && <span>Due {dayLabel(storedDay(dueDate))}</span>}
          {hasMeeting && (
            <Link to={`/meetings?meeting=${meeting._id}`}>
              <bdi>{meeting.title}</bdi>, {shortDate(meeting.startTime)}
            </Link>
          )}
        </DecisionMeta>
        {rejection && (
          <Caption $tone="danger" $above={1}>
            {rejection}.
          </Caption>
        )}
        <FormFailure failure={settle.failure ?? retry.failure} />
      </TextColumn>
      <Inline $gap={2} $wraps>
        {abilities.tryAgain && (
          <Button
            size="sm"
            icon={<RotateCcw />}
            isBusy={retry.isBusy}
            onPress={() => void retry.run(assignedTo?._id ?? null)}
            aria-label={`Try again: ${text}`}
          >
            Try again
          </Button>
        )}
        {abilities.tryAgain && assignedTo && (
          <Button size="sm" onPress={() => void retry.run(null)} aria-label={`Try again unassigned: ${text}`}>
            Try again unassigned
          </Button>
        )}
        {abilities.settle && (
          <Button
            size="sm"
            variant="ghost"
            icon={isDone ? <Undo2 /> : <Check />}
            isBusy={settle.isBusy}
            onPress={() => void settle.run(!isDone)}
            aria-label={`${isDone ? 'Reopen' : 'Mark as done'}: ${text}`}
          >
            {isDone ? 'Reopen' : 'Mark as done'}
          </Button>
        )}
      </Inline>
    </Row>
  );
}

type Label = { label: string; tone: PillTone };

const TASK: Record<string, Label> = {
  todo: { label: 'To do', tone: 'neutral' },
  'in-progress': { label: 'In progress', tone: 'info' },
  review: { label: 'In review', tone: 'warning' },
};

function decisionLabel({ state, isDone, task }: Decision): Label {
  if (isDone) return { label: 'Done', tone: 'success' };
  if (state === 'task') return TASK[task?.status ?? ''] ?? { label: 'To do', tone: 'neutral' };
  if (state === 'requested') return { label: 'Creating task', tone: 'info' };
  if (state === 'rejected') return { label: 'No task', tone: 'danger' };
  if (state === 'task-deleted') return { label: 'Task deleted', tone: 'warning' };
  return { label: 'Open', tone: 'neutral' };
}

const Row = styled.li`
  display: flex;
  flex-wrap: wrap;
  align-items: flex-start;
  justify-content: space-between;
  gap: ${theme.space[2]} ${theme.space[4]};
  padding: ${theme.space[3]} 0;
  ${dividedStyles}
`;

const TextColumn = styled.div`
  flex: 1 1 240px;
  min-width: 0;
  strong {
    font-weight: 500;
    overflow-wrap: anywhere;
  }
`;

const DecisionMeta = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 4px ${theme.space[3]};
  margin-top: 4px;
  ${captionStyles}
  > span {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  > a {
    overflow-wrap: anywhere;
  }
`;
