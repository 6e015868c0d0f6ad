import type { OwnPreferences, updatePreferences } from '@atrium/proto-events/http/preferences';
import { call } from '#lib/api/api.ts';
import { useInvalidate } from '#realtime/use-invalidate.ts';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { PREFERENCE_FIELDS, preferencesSchema, valuesOf } from './preferences-schema.ts';

/** The user's preferences; the form stays open after saving. */
export function usePreferencesForm(preferences: OwnPreferences) {
  const refresh = useInvalidate();
  return useVersionedForm({
    resource: preferences,
    valuesOf,
    fields: PREFERENCE_FIELDS,
    schema: preferencesSchema,
    draft: 'preferences',
    save: (body, version) =>
      call<typeof updatePreferences>('PATCH /users/profile/preferences', { body: { ...body, version } }),
    messages: { saved: 'Preferences saved', failed: 'Failed to save preferences' },
    onSaved: (saved, rebase) => {
      rebase(saved);
      refresh('/users');
    },
  });
}
