import type { Project } from '@atrium/proto-events/http/projects';
import type { TaskStatus } from '@atrium/proto-events/http/tasks';
import { isolate } from '@atrium/proto-events/text/isolate';
import { styled } from 'styled-components';
import { useTaskActions } from '#entities/task/use-task-actions.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { useCurrentUser } from '#lib/session/session.ts';
import { TextArea } from '#ui/fields/text-area.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { FormDialog } from '#ui/forms/form-dialog.tsx';
import { useCreateForm } from '#ui/forms/use-create-form.ts';
import { FieldRow } from '#ui/overlays/dialog-parts.ts';
import { assigneeOptions } from './assignees.tsx';
import {
  type NewTaskValues,
  newTaskSchema,
  TASK_FIELD_NAMES,
  TASK_FIELDS,
  type TaskFieldName,
  type TaskTextValues,
} from './task-fields.tsx';

type Props = {
  project: Project;
  status: TaskStatus;
  /** The message that the task is created from. */
  message?: TaskTextValues & { id: string };
  onClose: () => void;
};

export function NewTaskDialog({ project, status, message, onClose }: Props) {
  const emptyFields = Object.fromEntries(TASK_FIELD_NAMES.map((name) => [name, ''])) as Record<TaskFieldName, string>;
  const { title, description } = message ?? { title: '', description: '' };
  const defaultValues: NewTaskValues = { title, description, ...emptyFields, status, priority: 'medium' };
  const people = assigneeOptions(project, useCurrentUser());
  const form = useCreateForm({
    schema: newTaskSchema(project._id, message && { message: message.id }),
    defaultValues,
    draft: message ? `message:${message.id}:task:new` : `project:${project._id}:task:new`,
    create: useTaskActions().create,
    messages: { created: 'Task created successfully', failed: 'Failed to create task' },
    onCreated: onClose,
  });
  const { control } = form;
  return (
    <FormDialog
      form={form}
      title="New Task"
      description={`In ${isolate(project.name)}`}
      onClose={onClose}
      action="Create Task"
    >
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
    </FormDialog>
  );
}

const Choices = styled(FieldRow)`
  > :last-child:nth-child(odd) {
    grid-column: 1 / -1;
  }
`;
