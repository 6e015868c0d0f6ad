import type { Task } from '@atrium/proto-events/http/tasks';
import { useRef, useState } from 'react';
import { useTaskActions } from '#entities/task/use-task-actions.ts';
import type { FieldTexts } from '#lib/forms/field-merge.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { Button } from '#ui/button.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { FormNotices } from '#ui/forms/form-notices.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { Inline, Stack } from '#ui/layout/primitives.ts';
import { DiscardConfirmation } from '#ui/overlays/discard-confirmation.tsx';
import { type TaskTextValues, taskTextSchema } from './task-fields.tsx';

type Props = {
  task: Task;
  onDone: (hadFocus: boolean) => void;
};

export const textDraftKey = (taskId: string) => `task:${taskId}`;

const toTextValues = ({ title, description }: Task): TaskTextValues => ({ title, description });

const FIELDS: FieldTexts<TaskTextValues> = { title: 'Title', description: 'Description' };

export function TaskTextForm({ task, onDone }: Props) {
  const { update } = useTaskActions();
  const box = useRef<HTMLFormElement>(null);
  const editing = useVersionedForm({
    resource: task,
    valuesOf: toTextValues,
    fields: FIELDS,
    schema: taskTextSchema,
    draft: textDraftKey(task._id),
    save: (body, version) => update(task._id, { ...body, version }),
    messages: { failed: 'Failed to update task' },
    // Focus may have moved elsewhere during the save.
    onSaved: () => onDone(box.current?.contains(document.activeElement) ?? false),
  });
  const [isConfirming, setConfirming] = useState(false);
  const { form, control, submit, conflict } = editing;
  const leave = () => onDone(true);
  return (
    <Stack
      as="form"
      $gap={4}
      ref={box}
      onSubmit={(event) => void submit(event)}
      noValidate
      aria-label="Title and description"
    >
      <FormNotices form={editing} resourceLabel="this task" />
      <FormField control={control} name="title">
        {(field) => <TextField {...field} label="Title" isRequired autoFocus />}
      </FormField>
      <FormField control={control} name="description">
        {(field) => <TextArea {...field} label="Description" rows={6} />}
      </FormField>
      <Inline $gap={2} $justify="end">
        <Button onPress={() => (form.formState.isDirty ? setConfirming(true) : leave())}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          isBusy={form.formState.isSubmitting}
          isDisabled={conflict !== undefined}
        >
          Save
        </Button>
      </Inline>
      <DiscardConfirmation isOpen={isConfirming} onKeep={() => setConfirming(false)} onDiscard={leave} />
    </Stack>
  );
}
