import { createDepartmentBody } from '@atrium/proto-events/http/departments';
import { isolate } from '@atrium/proto-events/text/isolate';
import { countEmployees, type Department } from '#entities/department/use-departments.ts';
import { showConflictAt } from '#lib/api/server-errors.ts';
import type { FieldTexts } from '#lib/forms/field-merge.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { useIdempotencyKey } from '#lib/hooks/use-idempotency-key.ts';
import { TextField } from '#ui/fields/text-field.tsx';
import { FormDialog } from '#ui/forms/form-dialog.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useDepartmentActions } from './use-department-actions.ts';

type Props = { department: Department | undefined; onClose: () => void };

type Named = Pick<Department, 'name' | 'version'>;

const NONE: Named = { name: '', version: 0 };

const toValues = ({ name }: Named) => ({ name });

const FIELDS: FieldTexts<ReturnType<typeof toValues>> = { name: 'Name' };

export function DepartmentDialog({ department, onClose }: Props) {
  const draftKey = department ? `department:${department._id}` : 'department:new';
  const { create: createUnderKey, update } = useDepartmentActions();
  const create = useIdempotencyKey(draftKey, createUnderKey);
  const editing = useVersionedForm({
    resource: department ?? NONE,
    valuesOf: toValues,
    fields: FIELDS,
    schema: createDepartmentBody,
    draft: draftKey,
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
      resourceLabel="this department"
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

type DeleteDepartmentDialogProps = { department: Department; onClose: () => void };

export function DeleteDepartmentDialog({ department, onClose }: DeleteDepartmentDialogProps) {
  const { remove } = useDepartmentActions();
  const hasEmployees = department.employeeCount > 0;
  const confirm = async () => {
    const outcome = await remove(department._id);
    showSuccess(outcome === 'deleted' ? 'Department deleted successfully' : 'Department deactivated successfully');
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={confirm}
      title={hasEmployees ? 'Deactivate Department' : 'Delete Department'}
      action={hasEmployees ? 'Deactivate' : 'Delete'}
      failure="Failed to delete department"
    >
      {hasEmployees
        ? `“${isolate(department.name)}” has ${countEmployees(department.employeeCount)}, so it will be marked inactive instead of deleted. They stay in the department, and no one can be added to it until it is reactivated.`
        : `Are you sure you want to delete “${isolate(department.name)}”? This action cannot be undone.`}
    </ConfirmDialog>
  );
}
