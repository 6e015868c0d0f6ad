import type { Project } from '@atrium/proto-events/http/projects';
import type { TaskStatus } from '@atrium/proto-events/http/tasks';
import { isolate } from '@atrium/proto-events/text/isolate';
import { zodResolver } from '@hookform/resolvers/zod';
import { styled } from 'styled-components';
import { showFieldErrors } from '../../lib/api/server-errors.ts';
import { FormField } from '../../lib/forms/form-field.tsx';
import { useEntryForm } from '../../lib/forms/use-entry-form.ts';
import { useStoredDraft } from '../../lib/forms/use-stored-draft.ts';
import { useRepeatable } from '../../lib/hooks/use-repeatable.ts';
import { useCurrentUser } from '../../lib/session/use-session.ts';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { FormFoot } from '../../ui/form-foot.tsx';
import { FormFailure } from '../../ui/forms/form-failure.tsx';
import { Dialog, DialogBody, FieldRow } from '../../ui/overlays/dialog.tsx';
import { reportFailure } from '../../ui/overlays/show-failure.ts';
import { showSuccess } from '../../ui/overlays/toast.ts';
import { assigneeOptions } from './assignees.tsx';
import { TASK_FIELD_NAMES, TASK_FIELDS, type TaskFieldName } from './task-fields.tsx';
import { type NewTaskValues, newTaskSchema } from './task-schema.ts';
import { useTaskActions } from './use-task-actions.ts';

type FormProps = { project: Project; status: TaskStatus; onDone: () => void };
type Props = Omit<FormProps, 'onDone'> & { isOpen: boolean; onClose: () => void };

export function NewTaskDialog({ isOpen, onClose, ...rest }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New Task" description={`In ${isolate(rest.project.name)}`}>
      <NewTaskForm {...rest} onDone={onClose} />
    </Dialog>
  );
}

const FIELDS = ['title', 'description', ...TASK_FIELD_NAMES] as const;

function NewTaskForm({ project, status, onDone }: FormProps) {
  const nothing = Object.fromEntries(TASK_FIELD_NAMES.map((name) => [name, ''])) as Record<TaskFieldName, string>;
  const defaultValues: NewTaskValues = { title: '', description: '', ...nothing, status, priority: 'medium' };
  const form = useEntryForm({ resolver: zodResolver(newTaskSchema(project._id)), defaultValues });
  const place = `project:${project._id}:task:new`;
  const draft = useStoredDraft(form, place);
  const create = useRepeatable(place, useTaskActions().create);
  const people = assigneeOptions(project, useCurrentUser());
  const submit = form.handleSubmit(async (body) => {
    try {
      await create(body);
      showSuccess('Task created successfully');
      onDone();
    } catch (error) {
      const isPlaced = showFieldErrors(error, FIELDS, form.setError);
      reportFailure({ form, isPlaced }, error, 'Failed to create task');
    }
  });
  const { control } = form;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        <FormFailure failure={form.failure} />
        <DraftNotice draft={draft} />
        <FormField control={control} name="title">
          {(field) => <TextField {...field} label="Title" isRequired autoFocus />}
        </FormField>
        <FormField control={control} name="description">
          {(field) => <TextArea {...field} label="Description" rows={4} />}
        </FormField>
        <Choices>
          {TASK_FIELD_NAMES.map((name) => (
            <div key={name}>
              <FormField control={control} name={name}>
                {(field) => TASK_FIELDS[name].control(field, people)}
              </FormField>
            </div>
          ))}
        </Choices>
      </DialogBody>
      <FormFoot action="Create Task" isBusy={form.formState.isSubmitting} />
    </form>
  );
}

const Choices = styled(FieldRow)`
  > :last-child:nth-child(odd) {
    grid-column: 1 / -1;
  }
`;
