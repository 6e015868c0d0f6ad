import type { Project } from '@atrium/proto-events/http/projects';
import { FileX, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { canEditProject } from '#entities/project/project-labels.ts';
import { useProject } from '#entities/project/use-projects.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { Button } from '#ui/button.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { DialogFormBody } from '#ui/forms/form-dialog.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { Notice } from '#ui/notice.tsx';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { ResourceDialog } from '#ui/overlays/resource-dialog.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { theme } from '#ui/theme.ts';
import { PlanFields, PROJECT_FIELDS, ProgressField } from './project-fields.tsx';
import { editProjectSchema, valuesOf } from './project-schema.ts';
import { useProjectActions } from './use-project-actions.ts';

type Props = {
  id: string;
  known?: Project;
  onClose: () => void;
  onDeleted?: () => void;
};

export function EditProjectDialog({ id, known, onClose, onDeleted = onClose }: Props) {
  const project = useProject(id, known);
  const isReadOnly = project.data && !canEditProject(project.data);
  return (
    <ResourceDialog
      query={project}
      onClose={onClose}
      title={isReadOnly ? 'Project' : 'Edit Project'}
      width="lg"
      loading="Loading the project"
      failure="Failed to load the project"
      notFound={{ icon: <FileX />, title: 'This project no longer exists' }}
    >
      {(loaded) => <EditProjectForm project={loaded} onDone={onClose} onDeleted={onDeleted} />}
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
  // Runs after the form has released its navigation guard; the draft can no longer be saved.
  useEffect(() => {
    if (isDeleted) onDeleted();
  }, [isDeleted, onDeleted]);
  const { control } = editing;
  const isLocked = !project.abilities.update;
  return (
    <DialogFormBody form={editing} resourceLabel="this project" action="Update Project" isLocked={isLocked}>
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
    </DialogFormBody>
  );
}

type DangerZoneProps = { project: Project; onDeleted: () => void };

function DangerZone({ project, onDeleted }: DangerZoneProps) {
  const [isConfirming, setConfirming] = useState(false);
  const { remove } = useProjectActions();
  const confirm = async () => {
    await remove(project._id);
    showSuccess('Project deleted successfully');
    onDeleted();
  };
  return (
    <Zone>
      <div>
        <h3>Danger Zone</h3>
        <p>
          {project.abilities.delete
            ? 'Its tasks and its conversation will be deleted, too. This cannot be undone.'
            : project.denialReasons.delete}
        </p>
      </div>
      {project.abilities.delete && (
        <Button variant="danger" icon={<Trash2 />} onPress={() => setConfirming(true)}>
          Delete Project
        </Button>
      )}
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={confirm}
        title="Delete project"
        action="Delete Project"
        failure="Failed to delete project"
      >
        Are you sure you want to delete this project? This action cannot be undone.
      </ConfirmDialog>
    </Zone>
  );
}

const Zone = styled.section`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[3]} ${theme.space[4]};
  margin-top: ${theme.space[2]};
  padding-top: ${theme.space[5]};
  border-top: 1px solid ${theme.color.line};
  h3 {
    color: ${theme.color.danger};
  }
  p {
    color: ${theme.color.text2};
  }
`;
