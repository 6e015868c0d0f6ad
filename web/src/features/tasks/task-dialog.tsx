import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import { Pencil, SearchX, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { styled } from 'styled-components';
import { useTaskActions } from '#entities/task/use-task-actions.ts';
import { useTask } from '#entities/task/use-tasks.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { getDraft } from '#lib/forms/drafts.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { isId } from '#lib/paths.ts';
import { Button } from '#ui/button.tsx';
import { Caption, Text } from '#ui/layout/primitives.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { ResourceDialog } from '#ui/overlays/resource-dialog.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { TaskComments } from './task-comments.tsx';
import { TaskProperties } from './task-properties.tsx';
import { TaskTextForm, textDraftKey } from './task-text-form.tsx';

const TaskOrigin = lazyNamed(() => import('./task-origin.tsx'), 'TaskOrigin');

type Props = { id: string; project: Project; onClose: () => void };

export function TaskDialog({ id, project, onClose }: Props) {
  const task = useTask(id);
  const isGone = task.error?.status === 404 || !isId(id);
  return (
    <ResourceDialog
      query={task}
      isNotFound={isGone}
      onClose={onClose}
      title={(!isGone && task.data?.title) || 'Task'}
      width="lg"
      loading="Loading the task"
      failure="Failed to load the task"
      notFound={{
        icon: <SearchX />,
        title: 'This task no longer exists',
        hint: 'It was deleted, or the link is wrong.',
        action: <Button onPress={onClose}>Back to the board</Button>,
      }}
    >
      {(loaded) => <TaskDetails task={loaded} project={project} onDeleted={onClose} />}
    </ResourceDialog>
  );
}

type TaskDetailsProps = { task: Task; project: Project; onDeleted: () => void };

export function TaskDetails({ task, project, onDeleted }: TaskDetailsProps) {
  return (
    <DialogBody>
      <Halves>
        <TaskText task={task} />
        <aside aria-label="Properties">
          <TaskProperties task={task} project={project} />
          <Caption>
            Created by <bdi>{displayName(task.createdBy)}</bdi> <RelativeTime time={task.createdAt} />
          </Caption>
          {task.origin && (
            <Suspense fallback={null}>
              <TaskOrigin messageId={task.origin.message} />
            </Suspense>
          )}
          <DeleteTask task={task} onDeleted={onDeleted} />
        </aside>
        <TaskComments task={task} />
      </Halves>
    </DialogBody>
  );
}

function TaskText({ task }: { task: Task }) {
  const { update: canEdit } = task.abilities;
  const [isEditing, setEditing] = useState(() => canEdit && getDraft(textDraftKey(task._id)) !== undefined);
  const [regainsFocus, setRegainsFocus] = useState(false);
  const finish = (hadFocus: boolean) => {
    setRegainsFocus(hadFocus);
    setEditing(false);
  };
  if (isEditing) return <TaskTextForm task={task} onDone={finish} />;
  return (
    <section aria-label="Description">
      {task.description ? (
        <Description dir="auto">{task.description}</Description>
      ) : (
        <Text as="p" $tone="text2" $below={3}>
          No description
        </Text>
      )}
      {canEdit && (
        <Button size="sm" icon={<Pencil />} onPress={() => setEditing(true)} autoFocus={regainsFocus}>
          Edit title and description
        </Button>
      )}
    </section>
  );
}

function DeleteTask({ task, onDeleted }: Pick<TaskDetailsProps, 'task' | 'onDeleted'>) {
  const [isConfirming, setConfirming] = useState(false);
  const { remove } = useTaskActions();
  if (!task.abilities.delete) return null;
  const confirm = async () => {
    await remove(task._id);
    showSuccess('Task deleted successfully');
    onDeleted();
  };
  return (
    <>
      <Button size="sm" icon={<Trash2 />} onPress={() => setConfirming(true)}>
        Delete task
      </Button>
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={confirm}
        title="Delete task"
        action="Delete task"
        failure="Failed to delete task"
      >
        Are you sure you want to delete this task? Its comments will be deleted, too. This action cannot be undone.
      </ConfirmDialog>
    </>
  );
}

/* Text, properties, comments: the reading order, and the order on a small screen. */
const Halves = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) 220px;
  grid-template-rows: auto 1fr;
  gap: ${theme.space[5]} ${theme.space[6]};
  > aside {
    grid-column: 2;
    grid-row: 1 / 3;
    display: flex;
    flex-direction: column;
    gap: ${theme.space[4]};
    min-width: 0;
    padding-inline-start: ${theme.space[5]};
    border-inline-start: 1px solid ${theme.color.line};
    > button {
      align-self: flex-start;
    }
  }
  ${theme.media.small} {
    grid-template: none / minmax(0, 1fr);
    > aside {
      grid-area: auto;
      padding: ${theme.space[4]} 0 0;
      border-inline-start: 0;
      border-top: 1px solid ${theme.color.line};
    }
  }
`;

const Description = styled.p`
  margin-bottom: ${theme.space[3]};
  white-space: pre-line;
  overflow-wrap: anywhere;
`;
