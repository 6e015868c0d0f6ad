import type { updateProfile } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { call } from '#lib/api/api.ts';
import { setProfile } from '#lib/session/session.ts';
import { useCacheUpdate } from '#realtime/use-cache-update.ts';
import { useInvalidate } from '#realtime/use-invalidate.ts';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { PROFILE_FIELDS, profileSchema, valuesOf } from './profile-schema.ts';

/** The user's profile; the form stays open after saving. */
export function useProfileForm(user: User) {
  const refresh = useInvalidate();
  const show = useCacheUpdate<User>('user');
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
      show.saved(saved);
      refresh('/users', '/departments');
    },
  });
}
