import { createDepartmentBody } from '@atrium/proto-events/http/departments';
import { zodResolver } from '@hookform/resolvers/zod';
import { styled } from 'styled-components';
import type { Department } from '../../entities/department/use-departments.ts';
import { showConflictAt, showFieldErrors } from '../../lib/api/server-errors.ts';
import { FormField } from '../../lib/forms/form-field.tsx';
import { useBase } from '../../lib/forms/use-base.ts';
import { useEntryForm } from '../../lib/forms/use-entry-form.ts';
import { EditNotices } from '../../ui/edit-notices.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { FormFoot } from '../../ui/form-foot.tsx';
import { Dialog, DialogBody } from '../../ui/overlays/dialog.tsx';
import { showFailure } from '../../ui/overlays/show-failure.ts';
import { showSuccess } from '../../ui/overlays/toast.ts';
import { theme } from '../../ui/theme.ts';
import { useDepartmentActions } from './use-department-actions.ts';

/** Without a department a new one is made. */
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

const SHOWN = { Name: ({ name }: { name: string }) => name };

function DepartmentForm({ department, onDone }: { department: Department | undefined; onDone: () => void }) {
  const form = useEntryForm({
    resolver: zodResolver(createDepartmentBody),
    defaultValues: nameOf(department ?? NONE),
  });
  const editing = useBase(department ?? NONE, nameOf);
  const { create, update } = useDepartmentActions();
  const save = form.handleSubmit(async ({ name }) => {
    try {
      await (department ? update(department._id, { name, version: editing.base.version }) : create({ name }));
      showSuccess(department ? 'Department updated successfully' : 'Department created successfully');
      onDone();
    } catch (error) {
      if (editing.meet(error, form)) return;
      if (!showFieldErrors(error, ['name'], form.setError)) showConflictAt(error, 'name', form.setError);
      showFailure(error, 'Failed to save department');
    }
  });
  return (
    <form onSubmit={(event) => void save(event)} noValidate aria-labelledby="department-form">
      <DialogBody>
        <Heading id="department-form">{department ? 'Edit Department' : 'Add Department'}</Heading>
        <EditNotices form={form} editing={editing} what="this department" shown={SHOWN} />
        <FormField control={form.control} name="name">
          {(field) => <TextField {...field} label="Department name" autoComplete="off" isRequired autoFocus />}
        </FormField>
      </DialogBody>
      <FormFoot
        action={department ? 'Save Changes' : 'Add Department'}
        busyAction="Saving..."
        isBusy={form.formState.isSubmitting}
        isDisabled={editing.theirs !== undefined}
      />
    </form>
  );
}

const Heading = styled.h3`
  color: ${theme.color.text2};
`;
