import { inviteBody } from '@atrium/proto-events/http/invitations';
import { z } from 'zod';
import { useAllDepartments } from '#entities/department/use-departments.ts';
import { INVITED_ROLE_OPTIONS } from '#entities/user/roles.ts';
import { showConflictAt } from '#lib/api/server-errors.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { DialogFormBody } from '#ui/forms/form-dialog.tsx';
import { useCreateForm } from '#ui/forms/use-create-form.ts';
import { FieldRow } from '#ui/overlays/dialog-parts.ts';
import { type InvitationWithLink, useInvitationActions } from './use-invitation-actions.ts';

type InviteValues = { email: string; firstName: string; lastName: string; role: string; department: string };

/** Requires a department, which is optional in the contract. */
const inviteSchema = z.preprocess(
  (values: InviteValues) => values,
  inviteBody.extend({ department: z.string().min(1, 'Please select a department') }),
);

export const EMPTY: InviteValues = { email: '', firstName: '', lastName: '', role: 'member', department: '' };

type FormProps = { values: InviteValues; onInvited: (invitation: InvitationWithLink) => void };

export function InviteForm({ values, onInvited }: FormProps) {
  const form = useCreateForm({
    schema: inviteSchema,
    defaultValues: values,
    draft: 'invitation:new',
    create: useInvitationActions().invite,
    messages: { created: 'Invitation sent successfully', failed: 'Failed to send invitation' },
    onCreated: onInvited,
    onFailure: (error, { setError }) => showConflictAt(error, 'email', setError),
  });
  const { control } = form;
  return (
    <DialogFormBody form={form} action="Send Invitation" busyAction="Sending...">
      <FormField control={control} name="email">
        {(field) => <TextField {...field} label="Email" type="email" autoComplete="off" isRequired autoFocus />}
      </FormField>
      <FieldRow>
        <FormField control={control} name="firstName">
          {(field) => <TextField {...field} label="First name" autoComplete="off" isRequired />}
        </FormField>
        <FormField control={control} name="lastName">
          {(field) => <TextField {...field} label="Last name" autoComplete="off" isRequired />}
        </FormField>
      </FieldRow>
      <FieldRow>
        <FormField control={control} name="role">
          {(field) => <Select {...field} label="Role" options={INVITED_ROLE_OPTIONS} isRequired />}
        </FormField>
        <FormField control={control} name="department">
          {(field) => <DepartmentSelect {...field} />}
        </FormField>
      </FieldRow>
    </DialogFormBody>
  );
}

type DepartmentProps = Omit<Parameters<typeof Select<string>>[0], 'label' | 'options'>;

function DepartmentSelect({ error, ...field }: DepartmentProps) {
  const departments = useAllDepartments();
  const active = (departments.data?.data ?? []).filter((department) => department.isActive);
  const isMissing = departments.data === undefined && departments.error !== undefined;
  return (
    <Select
      {...field}
      label="Department"
      options={active.map(({ _id, name }) => ({ value: _id, label: name }))}
      description={departments.data && active.length === 0 ? 'Add a department under Departments first.' : undefined}
      error={error ?? (isMissing ? 'Failed to load departments' : undefined)}
      isRequired
    />
  );
}
