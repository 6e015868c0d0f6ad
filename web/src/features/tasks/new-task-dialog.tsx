import type { Project } from '@atrium/proto-events/http/projects';
import type { TaskStatus } from '@atrium/proto-events/http/tasks';
import { zodResolver } from '@hookform/resolvers/zod';
import { messageOf } from '../../lib/api-error.ts';
import { FormField } from '../../lib/form-field.tsx';
import { showFieldErrors } from '../../lib/server-errors.ts';
import { useEntryForm } from '../../lib/use-entry-form.ts';
import { useRepeatable } from '../../lib/use-repeatable.ts';
import { useCurrentUser } from '../../lib/use-session.ts';
import { useStoredDraft } from '../../lib/use-stored-draft.ts';
import { DatePicker } from '../../ui/date-picker.tsx';
import { Dialog, DialogBody, FieldRow } from '../../ui/dialog.tsx';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import { FormFoot } from '../../ui/form-foot.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showError, showSuccess } from '../../ui/toast.ts';
import { assigneeOptions } from './assignees.tsx';
import { type NewTaskValues, newTaskSchema } from './task-schema.ts';
import { TASK_PRIORITY_OPTIONS, TASK_STATUS_OPTIONS } from './task-words.ts';
import { useTaskActions } from './use-tasks.ts';

type FormProps = { project: Project; status: TaskStatus; onDone: () => void };
type Props = Omit<FormProps, 'onDone'> & { isOpen: boolean; onClose: () => void };

export function NewTaskDialog({ isOpen, onClose, ...rest }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New Task" description={`In ${rest.project.name}`}>
      <NewTaskForm {...rest} onDone={onClose} />
    </Dialog>
  );
}

const FIELDS = ['title', 'description', 'status', 'priority', 'assignedTo', 'dueDate'] as const;

function NewTaskForm({ project, status, onDone }: FormProps) {
  const defaultValues: NewTaskValues = {
    title: '',
    description: '',
    status,
    priority: 'medium',
    assignedTo: '',
    dueDate: '',
  };
  const form = useEntryForm({ resolver: zodResolver(newTaskSchema(project._id)), defaultValues });
  const place = `project:${project._id}:task:new`;
  const draft = useStoredDraft(form, place);
  const create = useRepeatable(place, useTaskActions().create);
  const people = [{ value: '', label: 'No one' }, ...assigneeOptions(project, useCurrentUser())];
  const submit = form.handleSubmit(async (body) => {
    try {
      await create(body);
      showSuccess('Task created successfully');
      onDone();
    } catch (error) {
      showFieldErrors(error, FIELDS, form.setError);
      showError('Error', messageOf(error, 'Failed to create task'));
    }
  });
  const { control } = form;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        <DraftNotice draft={draft} />
        <FormField control={control} name="title">
          {(field) => <TextField {...field} label="Title" isRequired autoFocus />}
        </FormField>
        <FormField control={control} name="description">
          {(field) => <TextArea {...field} label="Description" rows={4} />}
        </FormField>
        <FieldRow>
          <FormField control={control} name="status">
            {(field) => <Select {...field} label="Status" options={TASK_STATUS_OPTIONS} />}
          </FormField>
          <FormField control={control} name="priority">
            {(field) => <Select {...field} label="Priority" options={TASK_PRIORITY_OPTIONS} />}
          </FormField>
        </FieldRow>
        <FieldRow>
          <FormField control={control} name="assignedTo">
            {(field) => <Select {...field} label="Assignee" options={people} />}
          </FormField>
          <FormField control={control} name="dueDate">
            {(field) => <DatePicker {...field} label="Due date" />}
          </FormField>
        </FieldRow>
      </DialogBody>
      <FormFoot action="Create Task" isBusy={form.formState.isSubmitting} />
    </form>
  );
}
