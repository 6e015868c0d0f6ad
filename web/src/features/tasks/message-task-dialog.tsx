import type { Project } from '@atrium/proto-events/http/projects';
import { useState } from 'react';
import { ProjectField } from '#entities/project/project-field.tsx';
import { useProject } from '#entities/project/use-projects.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { NewTaskDialog } from './new-task-dialog.tsx';
import type { TaskTextValues } from './task-fields.tsx';

type TaskMessage = TaskTextValues & { id: string; project: string | null };

type Props = { message: TaskMessage; onClose: () => void };

/** Creates a task in the project of the conversation, or asks for a project first. */
export function MessageTaskDialog({ message, onClose }: Props) {
  const { data: ownProject, isLoading } = useProject(message.project);
  const [chosen, setChosen] = useState<Project>();
  if (isLoading) return null;
  const canCreate = ownProject?.denialReasons?.createTasks === undefined;
  const project = chosen ?? (canCreate ? ownProject : undefined);
  if (project) return <NewTaskDialog project={project} status="todo" message={message} onClose={onClose} />;
  return <ProjectDialog onChosen={setChosen} onClose={onClose} />;
}

type ProjectDialogProps = { onChosen: (project: Project) => void; onClose: () => void };

function ProjectDialog({ onChosen, onClose }: ProjectDialogProps) {
  const isMember = useCurrentUser().role === 'member';
  const [id, setId] = useState('');
  const { data: project, error } = useProject(id || null);
  const reason = error?.message ?? project?.denialReasons?.createTasks;
  return (
    <Dialog title="New Task" description="Choose a project for the task." width="sm" onClose={onClose}>
      <DialogBody>
        <ProjectField label="Project" value={id} onChange={setId} isOwn={isMember} error={reason} />
      </DialogBody>
      <DialogFooter>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          variant="primary"
          isDisabled={!project || reason !== undefined}
          onPress={() => project && onChosen(project)}
        >
          Continue
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
