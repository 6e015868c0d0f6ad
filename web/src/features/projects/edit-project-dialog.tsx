import type { Project } from '@atrium/proto-events/http/projects';
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useProject } from '../../entities/project/use-projects.ts';
import { showFieldErrors } from '../../lib/api/server-errors.ts';
import { FormField } from '../../lib/forms/form-field.tsx';
import { useBase, useFollowing } from '../../lib/forms/use-base.ts';
import { useEntryForm } from '../../lib/forms/use-entry-form.ts';
import { useStoredDraft } from '../../lib/forms/use-stored-draft.ts';
import { EditNotices } from '../../ui/edit-notices.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { FormFoot } from '../../ui/form-foot.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Dialog, DialogBody } from '../../ui/overlays/dialog.tsx';
import { showFailure } from '../../ui/overlays/show-failure.ts';
import { showSuccess } from '../../ui/overlays/toast.ts';
import { DangerZone } from './danger-zone.tsx';
import { PlanFields, ProgressField, SHOWN_VALUES } from './edit-project-fields.tsx';
import { editProjectSchema, valuesOf } from './project-schema.ts';
import { useProjectActions } from './use-project-actions.ts';

type Props = {
  project: Project;
  isOpen: boolean;
  onClose: () => void;
  /** Where the screen around is about this project alone. */
  onDeleted?: () => void;
};

export function EditProjectDialog({ project, isOpen, onClose, onDeleted = onClose }: Props) {
  const { data = project } = useProject(project._id, project);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Edit Project" width="lg">
      <EditProjectForm project={data} onDone={onClose} onDeleted={onDeleted} />
    </Dialog>
  );
}

/** By its id alone, as an address has it; nothing for one that is not there. */
export function EditProjectById({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useProject(id);
  return data ? <EditProjectDialog project={data} isOpen onClose={onClose} /> : null;
}

const FIELDS = ['name', 'description', 'priority', 'status', 'progress', 'endDate', 'budget'] as const;

type FormProps = { project: Project; onDone: () => void; onDeleted: () => void };

function EditProjectForm({ project, onDone, onDeleted }: FormProps) {
  const [isDeleted, setDeleted] = useState(false);
  const { editing, form, draft, submit } = useEditing(project, { onDone, isDeleted });
  // Once the form has let go of the page: there is nothing left that its words could be saved to.
  useEffect(() => {
    if (isDeleted) onDeleted();
  }, [isDeleted, onDeleted]);
  const { control } = form;
  const isLocked = !project.abilities.update;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      {/* Locked, it holds nothing else that a keyboard could go to and scroll it from. */}
      <DialogBody tabIndex={isLocked ? 0 : undefined}>
        <EditNotices form={form} editing={editing} draft={draft} what="this project" shown={SHOWN_VALUES} />
        {isLocked && <Notice>{project.refusals.update}</Notice>}
        <FormField control={control} name="name">
          {(field) => <TextField {...field} label="Project title" isRequired isDisabled={isLocked} />}
        </FormField>
        <FormField control={control} name="description">
          {(field) => <TextArea {...field} label="Description" isRequired isDisabled={isLocked} />}
        </FormField>
        <PlanFields control={control} project={project} />
        <ProgressField control={control} project={project} base={editing.base} />
        <DangerZone project={project} onDeleted={() => setDeleted(true)} />
      </DialogBody>
      <FormFoot
        action="Update Project"
        isBusy={form.formState.isSubmitting}
        isDisabled={isLocked || editing.theirs !== undefined}
      />
    </form>
  );
}

function useEditing(project: Project, { onDone, isDeleted }: { onDone: () => void; isDeleted: boolean }) {
  const editing = useBase(project, valuesOf);
  const form = useEntryForm({
    resolver: zodResolver(editProjectSchema(project, editing.base)),
    defaultValues: valuesOf(project),
    isShortLived: isDeleted,
  });
  const draft = useStoredDraft(form, `project:${project._id}`, editing.meetBase);
  useFollowing(project, editing, form);
  const { update } = useProjectActions();
  const submit = form.handleSubmit(async (body) => {
    try {
      await update(project._id, { ...body, version: editing.base.version });
      showSuccess('Project updated successfully');
      onDone();
    } catch (error) {
      if (editing.meet(error, form)) return;
      showFieldErrors(error, FIELDS, form.setError);
      showFailure(error, 'Failed to update project');
    }
  });
  return { editing, form, draft, submit };
}
