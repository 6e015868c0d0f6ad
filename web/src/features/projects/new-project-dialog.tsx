import type { Control } from 'react-hook-form';
import type { z } from 'zod';
import { PRIORITY_OPTIONS } from '#entities/priority.ts';
import { INITIAL_STATUS_OPTIONS } from '#entities/project/project-labels.ts';
import { UsersField } from '#entities/user/users-field.tsx';
import { FormField } from '#lib/forms/form-field.tsx';
import { NumberField } from '#ui/fields/number-field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { FormDialog } from '#ui/forms/form-dialog.tsx';
import { useCreateForm } from '#ui/forms/use-create-form.ts';
import { FieldRow } from '#ui/overlays/dialog-parts.ts';
import { DatePicker } from '#ui/times/date-picker.tsx';
import { ManagerField } from './project-fields.tsx';
import { type NewProjectValues, newProjectSchema } from './project-schema.ts';
import { useProjectActions } from './use-project-actions.ts';

const defaultValues: NewProjectValues = {
  name: '',
  description: '',
  projectManager: '',
  priority: '',
  status: '',
  teamMembers: [],
  startDate: '',
  deadline: '',
  budget: null,
};

export function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const form = useCreateForm({
    schema: newProjectSchema,
    defaultValues,
    draft: 'project:new',
    create: useProjectActions().create,
    messages: {
      created: 'Project created successfully! Team members will receive email notifications.',
      failed: 'Failed to create project',
    },
    onCreated: onClose,
  });
  const { control } = form;
  return (
    <FormDialog form={form} title="Create New Project" width="lg" onClose={onClose} action="Create Project">
      <FormField control={control} name="name">
        {(field) => <TextField {...field} label="Project title" isRequired autoFocus />}
      </FormField>
      <FormField control={control} name="description">
        {(field) => <TextArea {...field} label="Description" isRequired />}
      </FormField>
      <Plan control={control} />
      <People control={control} />
    </FormDialog>
  );
}

type Part = { control: Control<NewProjectValues, unknown, z.output<typeof newProjectSchema>> };

function Plan({ control }: Part) {
  return (
    <>
      <FieldRow>
        <FormField control={control} name="priority">
          {(field) => <Select {...field} label="Priority" options={PRIORITY_OPTIONS} isRequired />}
        </FormField>
        <FormField control={control} name="status">
          {(field) => <Select {...field} label="Initial status" options={INITIAL_STATUS_OPTIONS} isRequired />}
        </FormField>
      </FieldRow>
      <FieldRow>
        <FormField control={control} name="startDate">
          {(field) => <DatePicker {...field} label="Start date" />}
        </FormField>
        <FormField control={control} name="deadline">
          {(field) => <DatePicker {...field} label="Due date" isRequired />}
        </FormField>
      </FieldRow>
      <FormField control={control} name="budget">
        {(field) => <NumberField {...field} label="Budget (optional)" min={0} />}
      </FormField>
    </>
  );
}

function People({ control }: Part) {
  return (
    <>
      <FormField control={control} name="projectManager">
        {(field) => <ManagerField {...field} isRequired />}
      </FormField>
      <Team control={control} />
    </>
  );
}

function Team({ control }: Part) {
  return (
    <FormField control={control} name="teamMembers">
      {({ value, onChange, error }) => (
        <UsersField label="Team members" value={value} onChange={onChange} error={error} />
      )}
    </FormField>
  );
}
