import type { Project } from '@atrium/proto-events/http/projects';
import { SearchX } from 'lucide-react';
import { useTask } from '../../entities/task/use-tasks.ts';
import { isId } from '../../lib/is-id.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogBody } from '../../ui/overlays/dialog.tsx';
import { Answer } from '../../ui/pages/answer.tsx';
import { EmptyState } from '../../ui/pages/empty-state.tsx';
import { Bone, Skeleton } from '../../ui/pages/skeleton.tsx';
import { TaskDetails } from './task-details.tsx';

type Props = { id: string; project: Project; onClose: () => void };

/** One task by its id in the address, with all that belongs to it. */
export function TaskDialog({ id, project, onClose }: Props) {
  const answer = useTask(id);
  const isGone = answer.error?.status === 404 || !isId(id);
  return (
    <Dialog isOpen onClose={onClose} title={(!isGone && answer.data?.title) || 'Task'} width="lg">
      {isGone ? (
        <EmptyState
          icon={<SearchX />}
          title="This task is not there any more"
          hint="Somebody deleted it, or its address is wrong."
          action={<Button onPress={onClose}>Back to the board</Button>}
        />
      ) : (
        <Answer of={answer} failure="Failed to load the task" skeletons={<Bones />}>
          {(task) => <TaskDetails task={task} project={project} onDeleted={onClose} />}
        </Answer>
      )}
    </Dialog>
  );
}

function Bones() {
  return (
    <DialogBody>
      <Skeleton label="Loading the task">
        <div style={{ display: 'grid', gap: 12, minHeight: 320, alignContent: 'start' }}>
          <Bone width="80%" />
          <Bone width="64%" />
          <Bone width="72%" />
        </div>
      </Skeleton>
    </DialogBody>
  );
}
