import type { Project } from '@atrium/proto-events/http/projects';
import { SearchX } from 'lucide-react';
import { useTask } from '#entities/task/use-tasks.ts';
import { isId } from '#lib/is-id.ts';
import { Button } from '#ui/button.tsx';
import { ResourceDialog } from '#ui/overlays/resource-dialog.tsx';
import { TaskDetails } from './task-details.tsx';

type Props = { id: string; project: Project; onClose: () => void };

/** The task in the URL. */
export function TaskDialog({ id, project, onClose }: Props) {
  const answer = useTask(id);
  const isGone = answer.error?.status === 404 || !isId(id);
  return (
    <ResourceDialog
      query={answer}
      isGone={isGone}
      onClose={onClose}
      title={(!isGone && answer.data?.title) || 'Task'}
      width="lg"
      loading="Loading the task"
      failure="Failed to load the task"
      gone={{
        icon: <SearchX />,
        title: 'This task no longer exists',
        hint: 'It was deleted, or the link is wrong.',
        action: <Button onPress={onClose}>Back to the board</Button>,
      }}
    >
      {(task) => <TaskDetails task={task} project={project} onDeleted={onClose} />}
    </ResourceDialog>
  );
}
