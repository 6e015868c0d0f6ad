import type { Project } from '@atrium/proto-events/http/projects';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { isId } from '../../lib/is-id.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogBody } from '../../ui/overlays/dialog.tsx';
import { EmptyState } from '../../ui/pages/empty-state.tsx';
import { ErrorState } from '../../ui/pages/error-state.tsx';
import { Bone, Skeleton } from '../../ui/pages/skeleton.tsx';
import { TaskDetails } from './task-details.tsx';
import { useTask } from './use-tasks.ts';

type Props = { id: string; project: Project; onClose: () => void };

/** One task by its id in the address, with all that belongs to it. */
export function TaskDialog({ id, project, onClose }: Props) {
  const { data, error, isValidating, mutate } = useTask(id);
  const isGone = error?.status === 404 || !isId(id);
  const content = (): ReactNode => {
    if (isGone)
      return (
        <EmptyState
          icon={<SearchX />}
          title="This task is not there any more"
          hint="Somebody deleted it, or its address is wrong."
          action={<Button onPress={onClose}>Back to the board</Button>}
        />
      );
    if (data) return <TaskDetails task={data} project={project} onDeleted={onClose} />;
    if (error)
      return (
        <ErrorState
          title="Failed to load the task"
          detail={messageOf(error, '')}
          onRetry={() => void mutate()}
          isRetrying={isValidating}
        />
      );
    return <Bones />;
  };
  return (
    <Dialog isOpen onClose={onClose} title={(!isGone && data?.title) || 'Task'} width="lg">
      {content()}
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
