import type { Project } from '@atrium/proto-events/http/projects';
import { zodResolver } from '@hookform/resolvers/zod';
import { type Control, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { messageOf } from '../../lib/api-error.ts';
import { compared } from '../../lib/conflict.ts';
import { FormField } from '../../lib/form-field.tsx';
import { showFieldErrors } from '../../lib/server-errors.ts';
import { useConflict } from '../../lib/use-conflict.ts';
import { useEntryForm } from '../../lib/use-entry-form.ts';
import { ConflictNotice } from '../../ui/conflict-notice.tsx';
import { DatePicker } from '../../ui/date-picker.tsx';
import { dayInWords } from '../../ui/day.ts';
import { Dialog, DialogBody, FieldRow } from '../../ui/dialog.tsx';
import { FormFoot } from '../../ui/form-foot.tsx';
import { Notice } from '../../ui/notice.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { displayName } from '../../ui/person.ts';
import { Select } from '../../ui/select.tsx';
import { Slider } from '../../ui/slider.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showError, showSuccess } from '../../ui/toast.ts';
import { DangerZone } from './danger-zone.tsx';
import { decrease, type EditProjectValues, editProjectSchema } from './project-schema.ts';
import { PRIORITY_OPTIONS, STATUS_OPTIONS, takesProgress } from './project-status.ts';
import { useProject, useProjectActions } from './use-projects.ts';

type Props = { project: Project; isOpen: boolean; onClose: () => void };
type Form = Control<EditProjectValues, unknown, z.output<ReturnType<typeof editProjectSchema>>>;

export function EditProjectDialog({ project, isOpen, onClose }: Props) {
  const { data = project } = useProject(project);
  const title = data.abilities.update ? 'Edit Project' : 'Project';
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} width="lg">
      <EditProjectForm project={data} onDone={onClose} />
    </Dialog>
  );
}

function EditProjectForm({ project, onDone }: { project: Project; onDone: () => void }) {
  const form = useEntryForm({ resolver: zodResolver(editProjectSchema(project)), defaultValues: valuesOf(project) });
  const conflict = useConflict(project);
  const { update } = useProjectActions();
  const isFinal = project.status === 'completed';
  const isLocked = isFinal || !project.abilities.update;
  const submit = form.handleSubmit(async (body) => {
    try {
      await update(project._id, { ...body, version: conflict.version });
      showSuccess('Project updated successfully');
      onDone();
    } catch (error) {
      if (conflict.meet(error)) return;
      showFieldErrors(error, ['name', 'description', 'priority', 'status', 'progress', 'budget'], form.setError);
      showError('Error', messageOf(error, 'Failed to update project'));
    }
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        {isFinal && <Notice>Completed projects are final.</Notice>}
        {conflict.theirs && (
          <ConflictNotice
            what="this project"
            fields={compared(form.getValues(), valuesOf(conflict.theirs), SHOWN)}
            onKeepMine={conflict.settle}
            onTakeTheirs={() => {
              form.reset(conflict.theirs ? valuesOf(conflict.theirs) : undefined);
              conflict.settle();
            }}
          />
        )}
        <FormField control={form.control} name="name">
          {(field) => <TextField {...field} label="Project title" isRequired isDisabled={isLocked} />}
        </FormField>
        <FormField control={form.control} name="description">
          {(field) => <TextArea {...field} label="Description" isRequired isDisabled={isLocked} />}
        </FormField>
        <Plan control={form.control} project={project} isLocked={isLocked} />
        <Progress control={form.control} project={project} />
        <DangerZone project={project} onDeleted={onDone} />
      </DialogBody>
      <FormFoot action="Update Project" isBusy={form.formState.isSubmitting} isDisabled={isLocked} />
    </form>
  );
}

type Part = { control: Form; project: Project };

function Plan({ control, project, isLocked }: Part & { isLocked: boolean }) {
  return (
    <>
      <FieldRow>
        <FormField control={control} name="priority">
          {(field) => <Select {...field} label="Priority" options={PRIORITY_OPTIONS} isDisabled={isLocked} />}
        </FormField>
        <FormField control={control} name="status">
          {(field) => <Select {...field} label="Status" options={STATUS_OPTIONS} isDisabled={isLocked} />}
        </FormField>
      </FieldRow>
      <FieldRow>
        <FormField control={control} name="endDate">
          {(field) => <DatePicker {...field} label="Due date" isDisabled={isLocked} />}
        </FormField>
        <FormField control={control} name="budget">
          {(field) => <NumberField {...field} label="Budget (optional)" min={0} isDisabled={isLocked} />}
        </FormField>
      </FieldRow>
      <TextField
        label="Project manager"
        value={displayName(project.projectManager)}
        onChange={() => undefined}
        description="Project Manager cannot be changed."
        isDisabled
      />
    </>
  );
}

/** Upwards only, in steps of five, and only where status and role allow. */
function Progress({ control, project }: Part) {
  const status = useWatch({ control, name: 'status' });
  const isFinal = project.status === 'completed';
  const canMove = project.abilities.updateProgress && !isFinal && takesProgress(status);
  const reason = () => {
    if (isFinal) return undefined;
    if (!project.abilities.updateProgress) return 'Only Admin and Project Manager can update progress';
    if (!canMove) return 'Progress can only be updated when status is "In Progress" or "Completed"';
    return 'Progress can only increase';
  };
  return (
    <FormField control={control} name="progress">
      {({ value, onChange, error }) => (
        <Slider
          label="Progress"
          value={canMove && status === 'completed' ? 100 : value}
          onChange={onChange}
          isDisabled={!canMove || status === 'completed'}
          description={reason()}
          error={value < project.progress ? decrease(project.progress, value) : error}
        />
      )}
    </FormField>
  );
}

function valuesOf(project: Project): EditProjectValues {
  return {
    name: project.name,
    description: project.description,
    priority: project.priority,
    status: project.status,
    progress: project.progress,
    // A due day is stored as its first moment in UTC.
    endDate: (project.deadline ?? project.endDate ?? '').slice(0, 10),
    budget: project.budget,
  };
}

const SHOWN: Record<string, (values: EditProjectValues) => string> = {
  'Project title': ({ name }) => name,
  Description: ({ description }) => description,
  Priority: ({ priority }) => labelOf(PRIORITY_OPTIONS, priority),
  Status: ({ status }) => labelOf(STATUS_OPTIONS, status),
  Progress: ({ progress }) => `${progress}%`,
  'Due date': ({ endDate }) => dayInWords(endDate),
  Budget: ({ budget }) => budget?.toLocaleString() ?? '',
};

function labelOf(options: readonly { value: string; label: string }[], value: string): string {
  return options.find((option) => option.value === value)?.label ?? value;
}
