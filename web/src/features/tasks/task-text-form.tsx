import type { Task } from '@atrium/proto-events/http/tasks';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { styled } from 'styled-components';
import { showFieldErrors } from '../../lib/api/server-errors.ts';
import { FormField } from '../../lib/forms/form-field.tsx';
import { useBase } from '../../lib/forms/use-base.ts';
import { useEntryForm } from '../../lib/forms/use-entry-form.ts';
import { Button } from '../../ui/button.tsx';
import { EditNotices } from '../../ui/edit-notices.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { DiscardQuestion } from '../../ui/overlays/discard-question.tsx';
import { showFailure } from '../../ui/overlays/show-failure.ts';
import { theme } from '../../ui/theme.ts';
import { type TaskTextValues, taskTextSchema } from './task-schema.ts';
import { useTaskActions } from './use-task-actions.ts';

type Props = { task: Task; onDone: () => void };

const wordsOf = ({ title, description }: Task): TaskTextValues => ({ title, description });

const SHOWN: Record<string, (values: TaskTextValues) => string> = {
  Title: ({ title }) => title,
  Description: ({ description }) => description,
};

/** Title and description, which are typed and therefore saved together. */
export function TaskTextForm({ task, onDone }: Props) {
  const { editing, form, submit } = useEditing(task, onDone);
  const [isAsking, setAsking] = useState(false);
  const { control } = form;
  return (
    <Form onSubmit={(event) => void submit(event)} noValidate aria-label="Title and description">
      <EditNotices form={form} editing={editing} what="this task" shown={SHOWN} />
      <FormField control={control} name="title">
        {(field) => <TextField {...field} label="Title" isRequired autoFocus />}
      </FormField>
      <FormField control={control} name="description">
        {(field) => <TextArea {...field} label="Description" rows={6} />}
      </FormField>
      <Choices>
        <Button onPress={() => (form.formState.isDirty ? setAsking(true) : onDone())}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          isBusy={form.formState.isSubmitting}
          isDisabled={editing.theirs !== undefined}
        >
          Save
        </Button>
      </Choices>
      <DiscardQuestion isOpen={isAsking} onKeep={() => setAsking(false)} onDiscard={onDone} />
    </Form>
  );
}

function useEditing(task: Task, onDone: () => void) {
  const editing = useBase(task, wordsOf);
  const { base } = editing;
  const form = useEntryForm({
    resolver: zodResolver(taskTextSchema),
    defaultValues: wordsOf(task),
  });
  const { update } = useTaskActions();
  // Its status may be changed beside it, which is no conflict of words.
  const version = sameWords(task, base) ? Math.max(task.version, base.version) : base.version;
  const submit = form.handleSubmit(async (body) => {
    try {
      await update(task._id, { ...body, version });
      onDone();
    } catch (error) {
      if (editing.meet(error, form)) return;
      showFieldErrors(error, ['title', 'description'], form.setError);
      showFailure(error, 'Failed to update task');
    }
  });
  return { editing, form, submit };
}

const sameWords = (one: Task, other: Task) => one.title === other.title && one.description === other.description;

const Form = styled.form`
  display: grid;
  align-content: start;
  gap: ${theme.space[4]};
`;

const Choices = styled.div`
  display: flex;
  justify-content: flex-end;
  gap: ${theme.space[2]};
`;
