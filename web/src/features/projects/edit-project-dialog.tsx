import type { Project } from '@atrium/proto-events/http/projects';
import { FileX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { canEditProject } from '#entities/project/project-labels.ts';
import { useProject } from '#entities/project/use-projects.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { DialogForm } from '#ui/forms/form-dialog.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { Notice } from '#ui/notice.tsx';
import { ResourceDialog } from '#ui/overlays/resource-dialog.tsx';
import { DangerZone } from './danger-zone.tsx';
import { PlanFields, PROJECT_FIELDS, ProgressField } from './edit-project-fields.tsx';
import { editProjectSchema, valuesOf } from './project-schema.ts';
import { useProjectActions } from './use-project-actions.ts';

type Props = {
  id: string;
  /** Shown until it is loaded. */
  known?: Project;
  onClose: () => void;
  /** Set where the surrounding screen shows only this project. */
  onDeleted?: () => void;
};

/** The project in the URL; users without edit rights get a read-only title. */
export function EditProjectDialog({ id, known, onClose, onDeleted = onClose }: Props) {
  const answer = useProject(id, known);
  const isReadOnly = answer.data && !canEditProject(answer.data);
  return (
    <ResourceDialog
      query={answer}
      onClose={onClose}
      title={isReadOnly ? 'Project' : 'Edit Project'}
      width="lg"
      loading="Loading the project"
      failure="Failed to load the project"
      gone={{ icon: <FileX />, title: 'This project no longer exists' }}
    >
      {(project) => <EditProjectForm project={project} onDone={onClose} onDeleted={onDeleted} />}
    </ResourceDialog>
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
    <DialogForm form={editing} what="this project" action="Update Project" isLocked={isLocked}>
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
