import { FormField } from '#lib/forms/form-field.tsx';
import { useCurrentUser } from '#lib/session/use-session.ts';
import { Button } from '#ui/button.tsx';
import { ComboBox } from '#ui/fields/combo-box.tsx';
import { Select } from '#ui/fields/select.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { EditNotices } from '#ui/forms/edit-notices.tsx';
import { SelfRemovingButton } from '#ui/forms/self-removing-button.tsx';
import { FieldRow } from '#ui/overlays/dialog-parts.ts';
import { PanelForm } from './panel-form.ts';
import { departmentOptions, timeZoneOptions } from './profile-schema.ts';
import { useProfileForm } from './use-profile-form.ts';

export function ProfileForm() {
  const user = useCurrentUser();
  const profile = useProfileForm(user);
  const { form, control, theirs } = profile;
  const { formState } = form;
  return (
    <PanelForm onSubmit={(event) => void profile.submit(event)} noValidate>
      <EditNotices of={profile} what="your profile" />
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
        {(field) => <TextArea {...field} label="Bio" rows={4} maxLength={2000} isCounted />}
      </FormField>
      <footer>
        {formState.isDirty && <SelfRemovingButton onPress={() => form.reset()}>Discard changes</SelfRemovingButton>}
        <Button
          type="submit"
          variant="primary"
          isBusy={formState.isSubmitting}
          isDisabled={!formState.isDirty || theirs !== undefined}
        >
          {formState.isSubmitting ? 'Saving...' : 'Save Changes'}
        </Button>
      </footer>
    </PanelForm>
  );
}
