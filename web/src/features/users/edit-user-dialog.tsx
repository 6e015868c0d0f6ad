import { updateUserBody } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { compareText } from '@atrium/proto-events/text/fold';
import { isolate } from '@atrium/proto-events/text/isolate';
import type { Control } from 'react-hook-form';
import { z } from 'zod';
import { DepartmentNames } from '#entities/department/department-names.tsx';
import { useAllDepartments } from '#entities/department/use-departments.ts';
import { STATUS_OPTIONS } from '#entities/user/account-status.tsx';
import { ROLE_OPTIONS } from '#entities/user/roles.ts';
import { useUser } from '#entities/user/use-users.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { type FieldTexts, optionText } from '#lib/forms/field-merge.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { FormDialog } from '#ui/forms/form-dialog.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { FieldRow } from '#ui/overlays/dialog-parts.ts';
import { showError } from '#ui/overlays/toast.ts';
import { useUserActions } from './use-user-actions.ts';

export function valuesOf(user: User) {
  const { firstName, lastName, role, status, phone, location, bio } = user;
  const department = user.department?._id ?? '';
  return { firstName, lastName, role, status, department, phone, location, bio, skills: user.skills.join(', ') };
}

type EditUserValues = ReturnType<typeof valuesOf>;

export const editUserSchema = z.preprocess(
  (values: EditUserValues) => ({
    ...values,
    department: values.department || null,
    skills: values.skills.split(','),
  }),
  updateUserBody,
);

type Props = { user: User; onClose: () => void };

export function EditUserDialog({ user: initialUser, onClose }: Props) {
  const { data: user = initialUser } = useUser(initialUser._id, initialUser);
  const { update } = useUserActions();
  const editing = useVersionedForm({
    resource: user,
    valuesOf,
    fields: USER_FIELDS,
    schema: editUserSchema,
    draft: `user:${user._id}`,
    save: (body, version) => update(user._id, { ...body, version }),
    messages: { saved: 'User updated successfully', failed: 'Failed to update user' },
    onSaved: onClose,
    onInvalid: ({ firstName, lastName }) => {
      const message = firstName?.message ?? lastName?.message;
      if (message) showError('Validation Error', message);
    },
  });
  const { control } = editing;
  return (
    <FormDialog
      form={editing}
      title="Edit User"
      description={`${isolate(displayName(user))}, ${user.email}`}
      onClose={onClose}
      resourceLabel="this person"
      action="Save Changes"
      busyAction="Saving..."
    >
      <EditUserFields control={control} user={user} />
    </FormDialog>
  );
}

type EditUserFieldsProps = { control: Control<EditUserValues, unknown, z.output<typeof editUserSchema>>; user: User };

const USER_FIELDS: FieldTexts<EditUserValues> = {
  firstName: 'First name',
  lastName: 'Last name',
  role: { label: 'Role', text: optionText(ROLE_OPTIONS) },
  status: { label: 'Status', text: optionText(STATUS_OPTIONS) },
  department: { label: 'Department', text: (id) => <DepartmentNames ids={[id]} /> },
  phone: 'Phone',
  location: 'Location',
  skills: { label: 'Skills', isCommaList: true },
  bio: 'Bio',
};

function EditUserFields({ control, user }: EditUserFieldsProps) {
  return (
    <>
      <FieldRow>
        <FormField control={control} name="firstName">
          {(field) => <TextField {...field} label="First name" isRequired autoFocus />}
        </FormField>
        <FormField control={control} name="lastName">
          {(field) => <TextField {...field} label="Last name" isRequired />}
        </FormField>
      </FieldRow>
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
              description="Inactive people are signed out immediately."
            />
          )}
        </FormField>
      </FieldRow>
      <DepartmentField control={control} user={user} />
      <FieldRow>
        <FormField control={control} name="phone">
          {(field) => <TextField {...field} label="Phone" type="tel" />}
        </FormField>
        <FormField control={control} name="location">
          {(field) => <TextField {...field} label="Location" />}
        </FormField>
      </FieldRow>
      <FormField control={control} name="skills">
        {(field) => <TextField {...field} label="Skills" description="Separated by commas" />}
      </FormField>
      <FormField control={control} name="bio">
        {(field) => <TextArea {...field} label="Bio" />}
      </FormField>
    </>
  );
}

const NONE = 'none';

function DepartmentField({ control, user }: EditUserFieldsProps) {
  const departments = useAllDepartments();
  const active = (departments.data?.data ?? []).filter(({ isActive, _id }) => isActive && _id !== user.department?._id);
  const options = [...active, ...(user.department ? [user.department] : [])]
    .map(({ _id, name }) => ({ value: _id, label: name }))
    .sort((a, b) => compareText(a.label, b.label));
  return (
    <FormField control={control} name="department">
      {({ value, onChange, ...field }) => (
        <Select
          {...field}
          label="Department"
          description={
            user.departmentSelfAssigned &&
            'They chose this department themselves. Saving lets them see items shared with it.'
          }
          options={[{ value: NONE, label: 'None' }, ...options]}
          value={value || NONE}
          onChange={(chosen) => onChange(chosen === NONE ? '' : chosen)}
        />
      )}
    </FormField>
  );
}
