import { createDepartmentBody } from '@atrium/proto-events/http/departments';
import type { Department } from '#entities/department/use-departments.ts';
import { showConflictAt } from '#lib/api/server-errors.ts';
import type { FieldTexts } from '#lib/forms/field-texts.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { useIdempotencyKey } from '#lib/hooks/use-idempotency-key.ts';
import { TextField } from '#ui/fields/text-field.tsx';
import { FormDialog } from '#ui/forms/form-dialog.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { useDepartmentActions } from './use-department-actions.ts';

/** Without a department, a new one is created. */
type Props = { department: Department | undefined; onClose: () => void };

type Named = Pick<Department, 'name' | 'version'>;

const NONE: Named = { name: '', version: 0 };

const nameOf = ({ name }: Named) => ({ name });

const FIELDS: FieldTexts<ReturnType<typeof nameOf>> = { name: 'Name' };

export function DepartmentDialog({ department, onClose }: Props) {
  const place = department ? `department:${department._id}` : 'department:new';
  const { create: createUnderKey, update } = useDepartmentActions();
  const create = useIdempotencyKey(place, createUnderKey);
  const editing = useVersionedForm({
    resource: department ?? NONE,
    valuesOf: nameOf,
    fields: FIELDS,
    schema: createDepartmentBody,
    draft: place,
    save: ({ name }, version) => (department ? update(department._id, { name, version }) : create({ name })),
    messages: {
      saved: department ? 'Department updated successfully' : 'Department created successfully',
      failed: 'Failed to save department',
    },
    onSaved: onClose,
    onFailure: (error, { setError }) => showConflictAt(error, 'name', setError),
  });
  return (
    <FormDialog
      form={editing}
      title="Manage Departments"
      width="sm"
      onClose={onClose}
      what="this department"
      heading={department ? 'Edit Department' : 'Add Department'}
      action={department ? 'Save Changes' : 'Add Department'}
      busyAction="Saving..."
    >
      <FormField control={editing.control} name="name">
        {(field) => <TextField {...field} label="Department name" autoComplete="off" isRequired autoFocus />}
      </FormField>
    </FormDialog>
  );
}
