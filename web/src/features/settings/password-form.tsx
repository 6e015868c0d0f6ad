import type { Session } from '@atrium/proto-events/http/auth';
import { changePasswordBody } from '@atrium/proto-events/http/passwords';
import { FormProvider } from 'react-hook-form';
import { useFeed, useUpdateCachedFeed } from '#entities/meeting/use-feed.ts';
import { showFieldErrors } from '#lib/api/server-errors.ts';
import { confirmation, isConfirmed, PASSWORD_MISMATCH } from '#lib/forms/confirmed-password.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { useEntryForm } from '#lib/forms/use-entry-form.ts';
import { changePassword } from '#lib/session/change-password.ts';
import { useWrite } from '#realtime/use-write.ts';
import { Button } from '#ui/button.tsx';
import { NewPasswordFields } from '#ui/fields/new-password-fields.tsx';
import { PasswordField } from '#ui/fields/text-field.tsx';
import { FormFailure } from '#ui/notice.tsx';
import { reportFailure, showSuccess } from '#ui/overlays/toast.ts';
import { PanelForm } from './panel-form.tsx';

const { currentPassword, newPassword } = changePasswordBody.shape;

const passwordSchema = changePasswordBody
  .omit({ newPassword: true })
  .extend({ currentPassword, password: newPassword, ...confirmation })
  .refine(isConfirmed, PASSWORD_MISMATCH);

const defaultValues = { currentPassword: '', password: '', confirmPassword: '' };

const ENDED_WITH_FEED = 'You have been signed out everywhere else, and your calendar link no longer works.';

export function PasswordForm() {
  const form = useEntryForm({ schema: passwordSchema, defaultValues });
  const write = useWrite<Session>('session');
  const feed = useFeed().data?.feed;
  const showFeed = useUpdateCachedFeed();
  const submit = form.handleSubmit(async ({ currentPassword, password }) => {
    try {
      await changePassword({ currentPassword, newPassword: password });
      form.reset();
      showSuccess('Password changed', feed ? ENDED_WITH_FEED : 'You have been signed out everywhere else.');
      write.deleted(({ current }) => !current);
      // The feed is removed by an event, so a response could still contain it.
      showFeed(null);
      write.refetch('/auth/sessions');
    } catch (error) {
      if (showFieldErrors(error, ['currentPassword'], form.setError)) return form.setFocus('currentPassword');
      reportFailure({ form }, error, 'Failed to change password');
    }
  });
  const { isSubmitting, isDirty } = form.formState;
  return (
    <FormProvider {...form}>
      <PanelForm onSubmit={(event) => void submit(event)} noValidate>
        <FormFailure failure={form.failure} />
        <FormField control={form.control} name="currentPassword">
          {(field) => <PasswordField {...field} label="Current password" autoComplete="current-password" isRequired />}
        </FormField>
        <NewPasswordFields label="New password" confirmLabel="Confirm new password" />
        <footer>
          <Button type="submit" variant="primary" isBusy={isSubmitting} isDisabled={!isDirty}>
            {isSubmitting ? 'Changing...' : 'Change Password'}
          </Button>
        </footer>
      </PanelForm>
    </FormProvider>
  );
}
