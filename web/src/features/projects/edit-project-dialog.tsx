import type { Project } from '@atrium/proto-events/http/projects';
import { FileX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { canEditProject } from '#entities/project/project-labels.ts';
import { useProject } from '#entities/project/use-projects.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { DialogForm } from '#ui/forms/dialog-form.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { Notice } from '#ui/notice.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogSkeleton } from '#ui/overlays/dialog-skeleton.tsx';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { DangerZone } from './danger-zone.tsx';
import { PlanFields, PROJECT_FIELDS, ProgressField } from './edit-project-fields.tsx';
import { editProjectSchema, valuesOf } from './project-schema.ts';
import { useProjectActions } from './use-project-actions.ts';

type Props = {
  project: Project;
  isOpen: boolean;
  onClose: () => void;
  /** Set where the surrounding screen shows only this project. */
  onDeleted?: () => void;
};

export function EditProjectDialog({ project, isOpen, onClose, onDeleted = onClose }: Props) {
  const { data = project } = useProject(project._id, project);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={titleOf(data)} width="lg">
      <EditProjectForm project={data} onDone={onClose} onDeleted={onDeleted} />
    </Dialog>
  );
}

/** Users without edit rights get a read-only title. */
const titleOf = (project: Project | undefined) => (project && !canEditProject(project) ? 'Project' : 'Edit Project');

/** For a project id from the URL, which may no longer exist. */
export function EditProjectById({ id, onClose }: { id: string; onClose: () => void }) {
  const answer = useProject(id);
  const { data, error } = answer;
  const isGone = data === undefined && (error?.status === 404 || error?.status === 400);
  return (
    <Dialog isOpen onClose={onClose} title={titleOf(data)} width="lg">
      {isGone ? (
        <EmptyState icon={<FileX />} title="This project no longer exists" />
      ) : (
        <AsyncContent
          of={answer}
          failure="Failed to load the project"
          skeletons={<DialogSkeleton label="Loading the project" />}
        >
          {(project) => <EditProjectForm project={project} onDone={onClose} onDeleted={onClose} />}
        </AsyncContent>
      )}
    </Dialog>
  );
}

type FormProps = { project: Project; onDone: () => void; onDeleted: () => void };

function EditProjectForm({ project, onDone, onDeleted }: FormProps) {
  const [isDeleted, setDeleted] = useState(false);
  const { update } = useProjectActions();
  const editing = useVersionedForm({
    resource: project,
    valuesOf,
    fields: PROJECT_FIELDS,
    schema: (base) => editProjectSchema(project, base),
    draft: `project:${project._id}`,
    isShortLived: isDeleted,
    save: (body, version) => update(project._id, { ...body, version }),
    messages: { saved: 'Project updated successfully', failed: 'Failed to update project' },
    onSaved: onDone,
  });
  // After the form has released its navigation guard: the draft can no longer be saved.
  useEffect(() => {
    if (isDeleted) onDeleted();
  }, [isDeleted, onDeleted]);
  const { control } = editing;
  const isLocked = !project.abilities.update;
  return (
    <DialogForm of={editing} what="this project" action="Update Project" isLocked={isLocked}>
      {isLocked && <Notice>{project.denialReasons.update}</Notice>}
      <FormField control={control} name="name">
        {(field) => <TextField {...field} label="Project title" isRequired isDisabled={isLocked} />}
      </FormField>
      <FormField control={control} name="description">
        {(field) => <TextArea {...field} label="Description" isRequired isDisabled={isLocked} />}
      </FormField>
      <PlanFields control={control} project={project} />
      <ProgressField control={control} project={project} base={editing.base} />
      <DangerZone project={project} onDeleted={() => setDeleted(true)} />
    </DialogForm>
  );
}
