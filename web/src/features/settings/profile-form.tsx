import { type updateProfile, updateProfileBody } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { z } from 'zod';
import { call } from '#lib/api/api.ts';
import type { FieldTexts } from '#lib/forms/field-merge.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { setProfile, useCurrentUser } from '#lib/session/session.ts';
import { timeZones } from '#lib/time/time-zone.ts';
import { useWrite } from '#realtime/use-write.ts';
import { ComboBox } from '#ui/fields/combo-box.tsx';
import { Select } from '#ui/fields/select.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { FieldRow } from '#ui/overlays/dialog-parts.ts';
import { EditPanelForm } from './panel-form.tsx';

/** The departments that everyone can choose from; the server accepts any department by name. */
const DEPARTMENTS = ['Engineering', 'Design', 'Product', 'Marketing', 'Sales', 'HR', 'Finance'];

function departmentOptions(current: string | undefined) {
  const names = current && !DEPARTMENTS.includes(current) ? [...DEPARTMENTS, current] : DEPARTMENTS;
  return names.map((name) => ({ value: name, label: name }));
}

const timeZoneOptions = (current: string) =>
  timeZones(current).map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));

function valuesOf(user: User) {
  const { firstName, lastName, phone, location, department, timezone, bio } = user;
  return { firstName, lastName, phone, location, department: department?.name ?? '', timezone, bio };
}

type ProfileValues = ReturnType<typeof valuesOf>;

/** Sends only changes. Departments are sent by name, which may have been changed or reassigned since. */
const profileSchema = (base: User) =>
  z.preprocess(
    (values: ProfileValues) => {
      const initialValues = new Map(Object.entries(valuesOf(base)));
      return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== initialValues.get(name)));
    },
    updateProfileBody.omit({ version: true }),
  );

const PROFILE_FIELDS: FieldTexts<ProfileValues> = {
  firstName: 'First name',
  lastName: 'Last name',
  phone: 'Phone',
  location: 'Location',
  department: 'Department',
  timezone: 'Time zone',
  bio: 'Bio',
};

export function ProfileForm() {
  const user = useCurrentUser();
  const profile = useProfileForm(user);
  const { control } = profile;
  return (
    <EditPanelForm form={profile} resourceLabel="your profile" action="Save Changes">
      <FieldRow>
        <FormField control={control} name="firstName">
          {(field) => <TextField {...field} label="First name" autoComplete="given-name" isRequired />}
        </FormField>
        <FormField control={control} name="lastName">
          {(field) => <TextField {...field} label="Last name" autoComplete="family-name" isRequired />}
        </FormField>
      </FieldRow>
      <TextField
        label="Email"
        type="email"
        value={user.email}
        onChange={() => undefined}
        description="You sign in with your email address. It cannot be changed here."
        isReadOnly
      />
      <FieldRow>
        <FormField control={control} name="phone">
          {(field) => <TextField {...field} label="Phone" type="tel" autoComplete="tel" placeholder="+4930123456" />}
        </FormField>
        <FormField control={control} name="location">
          {(field) => <TextField {...field} label="Location" autoComplete="address-level2" placeholder="Berlin" />}
        </FormField>
      </FieldRow>
      <FormField control={control} name="department">
        {(field) => (
          <Select
            {...field}
            label="Department"
            description={
              user.departmentSelfAssigned &&
              'You can see items shared with the department once an administrator assigns you to it.'
            }
            options={departmentOptions(user.department?.name)}
            placeholder="Select a department"
          />
        )}
      </FormField>
      <FormField control={control} name="timezone">
        {(field) => (
          <ComboBox
            {...field}
            label="Time zone"
            description="For your working hours and for times in emails. Screens show the time of the device."
            options={timeZoneOptions(user.timezone)}
            isRequired
          />
        )}
      </FormField>
      <FormField control={control} name="bio">
        {(field) => <TextArea {...field} label="Bio" rows={4} maxLength={2000} showsCount />}
      </FormField>
    </EditPanelForm>
  );
}

function useProfileForm(user: User) {
  const write = useWrite<User>('user');
  return useVersionedForm({
    resource: user,
    valuesOf,
    fields: PROFILE_FIELDS,
    schema: profileSchema,
    draft: 'profile',
    save: (body, version) => call<typeof updateProfile>('PATCH /users/profile', { body: { ...body, version } }),
    messages: { saved: 'Settings updated successfully', failed: 'Failed to update settings' },
    onSaved: (saved, rebase) => {
      rebase(saved);
      setProfile(saved);
      write.saved(saved);
      write.refetch('/users', '/departments');
    },
  });
}
