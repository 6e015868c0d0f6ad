import type { UnansweredMeeting } from '@atrium/proto-events/http/meetings/meetings';
import type { Task } from '@atrium/proto-events/http/tasks';
import { isolate } from '@atrium/proto-events/text/isolate';
import { Hourglass, MailQuestionMark } from 'lucide-react';
import { useState } from 'react';
import { useUnansweredMeetings } from '#entities/meeting/use-meetings.ts';
import { DueDay } from '#entities/task/due-day.tsx';
import { columnLabel } from '#entities/task/task-labels.ts';
import { useDelegatedTasks } from '#entities/task/use-own-tasks.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { useNow, useToday } from '#lib/hooks/use-now.ts';
import { loadMoreProps } from '#lib/query/paging.ts';
import type { Day } from '#lib/time/day.ts';
import { formatTime } from '#lib/time/formats.ts';
import { IconTile } from '#ui/layout/icon-tile.ts';
import { DividedList } from '#ui/layout/primitives.ts';
import { Card } from '#ui/pages/card.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { fullTime, yearIfOther } from '#ui/times/time-format.ts';
import { QuietState } from './quiet-state.tsx';
import { areLoading, FailedSource, haveLoaded, SectionRow } from './section-rows.tsx';

/** Tasks that the user gave to others, and meetings of the user without all responses. Each is loaded on its own. */
export function WaitingFor() {
  const [pages, setPages] = useState(1);
  const tasks = useDelegatedTasks(pages);
  const meetings = useUnansweredMeetings();
  const more = loadMoreProps(tasks, pages, setPages);
  const today = useToday();
  const count = (tasks.data?.data.length ?? 0) + (meetings.data?.data.length ?? 0);
  return (
    <Card title="Waiting for">
      {areLoading(tasks, meetings) && <SkeletonRows count={3} />}
      {haveLoaded(tasks, meetings) && count === 0 && (
        <QuietState
          icon={<Hourglass />}
          title="Nothing to wait for"
          hint="Tasks that you create for others, and your meetings until everyone has responded, will appear here."
        />
      )}
      {count > 0 && (
        <DividedList>
          {meetings.data?.data.map((meeting) => (
            <UnansweredRow key={meeting._id} meeting={meeting} />
          ))}
          {tasks.data?.data.map((task) => (
            <DelegatedRow key={task._id} task={task} today={today} />
          ))}
        </DividedList>
      )}
      {more.hasMore && <ShowMore more={more} isApart />}
      <FailedSource query={tasks} failure="Failed to load the tasks of others" />
      <FailedSource query={meetings} failure="Failed to load meetings without responses" />
    </Card>
  );
}

function DelegatedRow({ task, today }: { task: Task; today: Day }) {
  const { _id, assignedTo, project, status, title } = task;
  return (
    <SectionRow
      to={`/progress/${project}?task=${_id}`}
      leading={assignedTo && <Avatar user={assignedTo} size={32} />}
      title={<bdi>{title}</bdi>}
      detail={`${isolate(displayName(assignedTo))} · ${columnLabel(status)}`}
      trailing={<DueDay task={task} today={today} />}
    />
  );
}

/** Short enough for the narrow column. */
const MEETING_START = { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const;

function UnansweredRow({ meeting }: { meeting: UnansweredMeeting }) {
  const { _id, title, startTime, pendingCount } = meeting;
  const now = new Date(useNow());
  return (
    <SectionRow
      to={`/meetings?meeting=${_id}`}
      leading={
        <IconTile $size={32} aria-hidden="true">
          <MailQuestionMark />
        </IconTile>
      }
      title={<bdi>{title}</bdi>}
      detail={
        <>
          {pendingCount === 1 ? '1 response' : `${pendingCount} responses`} missing ·{' '}
          <time dateTime={startTime} title={fullTime(startTime)}>
            {formatTime(startTime, { ...MEETING_START, ...yearIfOther(startTime, now) })}
          </time>
        </>
      }
    />
  );
}
