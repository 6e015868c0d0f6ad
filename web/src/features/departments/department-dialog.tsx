import { createDepartmentBody } from '@atrium/proto-events/http/departments';
import type { Department } from '#entities/department/use-departments.ts';
import { showConflictAt } from '#lib/api/server-errors.ts';
import type { FieldTexts } from '#lib/forms/field-texts.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { useIdempotencyKey } from '#lib/hooks/use-idempotency-key.ts';
import { TextField } from '#ui/fields/text-field.tsx';
import { DialogForm } from '#ui/forms/dialog-form.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { useDepartmentActions } from './use-department-actions.ts';

/** Without a department, a new one is created. */
type Props = { department: Department | undefined; isOpen: boolean; onClose: () => void };

export function DepartmentDialog({ department, isOpen, onClose }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Manage Departments" width="sm">
      <DepartmentForm department={department} onDone={onClose} />
    </Dialog>
  );
}

type Named = Pick<Department, 'name' | 'version'>;

const NONE: Named = { name: '', version: 0 };

const nameOf = ({ name }: Named) => ({ name });

const FIELDS: FieldTexts<ReturnType<typeof nameOf>> = { name: 'Name' };

function DepartmentForm({ department, onDone }: { department: Department | undefined; onDone: () => void }) {
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
    onSaved: onDone,
    onFailure: (error, { setError }) => showConflictAt(error, 'name', setError),
  });
  return (
    <DialogForm
      of={editing}
      what="this department"
      heading={department ? 'Edit Department' : 'Add Department'}
      action={department ? 'Save Changes' : 'Add Department'}
      busyAction="Saving..."
    >
      <FormField control={editing.control} name="name">
        {(field) => <TextField {...field} label="Department name" autoComplete="off" isRequired autoFocus />}
      </FormField>
    </DialogForm>
  );
}
