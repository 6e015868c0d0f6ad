import type { User } from '@atrium/proto-events/people';
import { zodResolver } from '@hookform/resolvers/zod';
import type { Control } from 'react-hook-form';
import type { z } from 'zod';
import { messageOf } from '../../lib/api-error.ts';
import { FormField } from '../../lib/form-field.tsx';
import { showFieldErrors } from '../../lib/server-errors.ts';
import { useEntryForm } from '../../lib/use-entry-form.ts';
import { Dialog, DialogBody, FieldRow } from '../../ui/dialog.tsx';
import { FormFoot } from '../../ui/form-foot.tsx';
import { displayName } from '../../ui/person.ts';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showError, showSuccess } from '../../ui/toast.ts';
import { type EditUserValues, editUserSchema, valuesOf } from './edit-user-schema.ts';
import { useDepartments, useUserActions } from './use-users.ts';
import { ROLE_OPTIONS, STATUS_OPTIONS } from './user-options.ts';

type Props = { user: User; isOpen: boolean; onClose: () => void };

export function EditUserDialog({ user, isOpen, onClose }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Edit User" description={`${displayName(user)}, ${user.email}`}>
      <EditUserForm user={user} onDone={onClose} />
    </Dialog>
  );
}

function EditUserForm({ user, onDone }: { user: User; onDone: () => void }) {
  const form = useEntryForm({ resolver: zodResolver(editUserSchema), defaultValues: valuesOf(user) });
  const { update } = useUserActions();
  const { control } = form;
  const save = form.handleSubmit(
    async (body) => {
      try {
        await update(user._id, { ...body, version: user.version });
        showSuccess('User updated successfully');
        onDone();
      } catch (error) {
        showFieldErrors(error, ['firstName', 'lastName', 'phone', 'location', 'department', 'skills'], form.setError);
        showError('Error', messageOf(error, 'Failed to update user'));
      }
    },
    ({ firstName, lastName }) => {
      const message = firstName?.message ?? lastName?.message;
      if (message) showError('Validation Error', message);
    },
  );
  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      <DialogBody>
        <FieldRow>
          <FormField control={control} name="firstName">
            {(field) => <TextField {...field} label="First name" isRequired autoFocus />}
          </FormField>
          <FormField control={control} name="lastName">
            {(field) => <TextField {...field} label="Last name" isRequired />}
          </FormField>
        </FieldRow>
        <Place control={control} user={user} />
        <FormField control={control} name="skills">
          {(field) => <TextField {...field} label="Skills" description="Separated by commas" />}
        </FormField>
        <FormField control={control} name="bio">
          {(field) => <TextArea {...field} label="About" />}
        </FormField>
      </DialogBody>
      <FormFoot action="Save Changes" isBusy={form.formState.isSubmitting} />
    </form>
  );
}

type Part = { control: Control<EditUserValues, unknown, z.output<typeof editUserSchema>>; user: User };

function Place({ control, user }: Part) {
  const departments = useDepartments();
  const options = (departments.data?.data ?? [])
    .filter((department) => department.isActive || department._id === user.department?._id)
    .map(({ _id, name }) => ({ value: _id, label: name }));
  return (
    <>
      <FieldRow>
        <FormField control={control} name="role">
          {(field) => <Select {...field} label="Role" options={ROLE_OPTIONS} />}
        </FormField>
        <FormField control={control} name="status">
          {(field) => (
            <Select
              {...field}
              label="Status"
              options={STATUS_OPTIONS}
              description="Inactive people are signed out at once."
            />
          )}
        </FormField>
      </FieldRow>
      <FormField control={control} name="department">
        {({ value, onChange, ...field }) => (
          <Select
            {...field}
            label="Department"
            options={[{ value: NONE, label: 'None' }, ...options]}
            value={value || NONE}
            onChange={(chosen) => onChange(chosen === NONE ? '' : chosen)}
          />
        )}
      </FormField>
      <FieldRow>
        <FormField control={control} name="phone">
          {(field) => <TextField {...field} label="Phone" type="tel" />}
        </FormField>
        <FormField control={control} name="location">
          {(field) => <TextField {...field} label="Location" />}
        </FormField>
      </FieldRow>
    </>
  );
}

const NONE = 'none';
