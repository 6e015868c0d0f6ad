import type { Task } from '@atrium/proto-events/http/tasks';
import { Suspense, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useProjectNames } from '#entities/project/use-project-names.ts';
import { useOwnTasks } from '#entities/task/use-own-tasks.ts';
import { useToday } from '#lib/hooks/use-now.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { loadMoreProps } from '#lib/query/paging.ts';
import { addDays } from '#lib/time/day.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { Card } from '#ui/pages/card.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { nextMonday } from '../quick-add/parse-date.ts';
import { useWorkKeys } from '../use-work-keys.ts';
import { MY_TASKS, TaskList } from './task-list.tsx';
import { applyPending, isPostponed, type useTaskChanges } from './use-task-changes.ts';

const PostponeDialog = lazyNamed(() => import('./postpone-dialog.tsx'), 'PostponeDialog');

type Props = { changes: ReturnType<typeof useTaskChanges>; onQuickAdd: () => void };

/** The open tasks of the user, by due date. */
export function MyTasks({ changes, onQuickAdd }: Props) {
  const { pending, complete, postpone, undo } = changes;
  const [pages, setPages] = useState(1);
  const query = useOwnTasks(pages);
  const more = loadMoreProps(query, pages, setPages);
  const [postponed, setPostponed] = useState<Task>();
  const list = useRef<HTMLDivElement>(null);
  const today = useToday();
  const navigate = useNavigate();
  const tasks = applyPending(query.data?.data ?? [], pending);
  const projectNames = useProjectNames(tasks.map(({ project }) => project));
  const days = { tomorrow: addDays(today, 1), nextWeek: nextMonday(today) };
  const toTomorrow = (task: Task) => isPostponed(task, days.tomorrow) && postpone(task, days.tomorrow);
  const toNextWeek = (task: Task) => isPostponed(task, days.nextWeek) && postpone(task, days.nextWeek);
  const chooseDate = (task: Task) => task.abilities.update && setPostponed(task);
  useWorkKeys({
    list,
    findTask: (id) => tasks.find(({ _id }) => _id === id),
    onComplete: complete,
    onTomorrow: toTomorrow,
    onNextWeek: toNextWeek,
    onChooseDate: chooseDate,
    onQuickAdd,
    onUndo: undo,
  });
  return (
    <Card title={MY_TASKS}>
      <AsyncContent
        query={query}
        failure="Failed to load your tasks"
        skeletons={<SkeletonRows count={6} hasDisc={false} />}
      >
        {() => (
          <TaskList
            ref={list}
            tasks={tasks}
            today={today}
            days={days}
            hasMore={more.hasMore}
            projectNames={projectNames}
            onOpen={({ _id, project }) => void navigate(`/progress/${project}?task=${_id}`)}
            onComplete={complete}
            onTomorrow={toTomorrow}
            onNextWeek={toNextWeek}
            onChooseDate={chooseDate}
          />
        )}
      </AsyncContent>
      {more.hasMore && <ShowMore more={more} isApart />}
      <Suspense fallback={null}>
        {postponed && (
          <PostponeDialog
            task={postponed}
            today={today}
            onChoose={(day) => postpone(postponed, day)}
            onClose={() => setPostponed(undefined)}
          />
        )}
      </Suspense>
    </Card>
  );
}
