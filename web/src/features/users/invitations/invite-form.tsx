import { zodResolver } from '@hookform/resolvers/zod';
import { useAllDepartments } from '../../../entities/department/use-departments.ts';
import { INVITED_ROLE_OPTIONS } from '../../../entities/person/person-options.ts';
import { showConflictAt, showFieldErrors } from '../../../lib/api/server-errors.ts';
import { FormField } from '../../../lib/forms/form-field.tsx';
import { useEntryForm } from '../../../lib/forms/use-entry-form.ts';
import { useStoredDraft } from '../../../lib/forms/use-stored-draft.ts';
import { useRepeatable } from '../../../lib/hooks/use-repeatable.ts';
import { DraftNotice } from '../../../ui/draft-notice.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { FormFailure } from '../../../ui/forms/form-failure.tsx';
import { DialogBody, FieldRow } from '../../../ui/overlays/dialog.tsx';
import { reportFailure } from '../../../ui/overlays/show-failure.ts';
import { showSuccess } from '../../../ui/overlays/toast.ts';
import { type InviteValues, inviteSchema } from './invite-schema.ts';
import { type InvitationWithLink, useInvitationActions } from './use-invitation-actions.ts';

export const EMPTY: InviteValues = { email: '', firstName: '', lastName: '', role: 'member', department: '' };

const FIELDS = ['email', 'firstName', 'lastName', 'role', 'department'] as const;

type FormProps = { values: InviteValues; onInvited: (invitation: InvitationWithLink) => void };

export function InviteForm({ values, onInvited }: FormProps) {
  const form = useEntryForm({ resolver: zodResolver(inviteSchema), defaultValues: values });
  const place = 'invitation:new';
  const draft = useStoredDraft(form, place);
  const invite = useRepeatable(place, useInvitationActions().invite);
  const submit = form.handleSubmit(async (body) => {
    try {
      const invitation = await invite(body);
      showSuccess('Invitation sent successfully');
      onInvited(invitation);
    } catch (error) {
      const isPlaced = showFieldErrors(error, FIELDS, form.setError) || showConflictAt(error, 'email', form.setError);
      reportFailure({ form, isPlaced }, error, 'Failed to send invitation');
    }
  });
  const { control } = form;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        <FormFailure failure={form.failure} />
        <DraftNotice draft={draft} />
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
      </DialogBody>
      <FormFoot action="Send Invitation" busyAction="Sending..." isBusy={form.formState.isSubmitting} />
    </form>
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
