import type { updateProfile } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { zodResolver } from '@hookform/resolvers/zod';
import type { z } from 'zod';
import { call } from '../../lib/api/api.ts';
import { conflictOf } from '../../lib/api/conflict.ts';
import { showFieldErrors } from '../../lib/api/server-errors.ts';
import { useBase, useFollowing } from '../../lib/forms/use-base.ts';
import { useEntryForm } from '../../lib/forms/use-entry-form.ts';
import { useStoredDraft } from '../../lib/forms/use-stored-draft.ts';
import { adopt } from '../../lib/session/session.ts';
import { useRefresh } from '../../realtime/use-refresh.ts';
import { useShow } from '../../realtime/use-show.ts';
import { showFailure } from '../../ui/overlays/show-failure.ts';
import { showSuccess } from '../../ui/overlays/toast.ts';
import { type ProfileValues, profileSchema, readsAlike, valuesOf } from './profile-schema.ts';

type Body = z.output<typeof profileSchema>;

/** One's own profile: saved over nobody's newer save, and following it while nothing is typed. */
export function useProfileForm(user: User) {
  const form = useEntryForm({ resolver: zodResolver(profileSchema), defaultValues: valuesOf(user) });
  const editing = useBase(user, valuesOf);
  const draft = useStoredDraft(form, 'profile', editing.meetBase);
  const { base } = editing;
  useFollowing(user, editing, form);
  const refresh = useRefresh();
  const show = useShow<User>('user');
  const save = async (body: Body, version: number) => {
    const sent = form.getValues();
    const saved = await call<typeof updateProfile>('PATCH /users/profile', { body: { ...body, version } });
    editing.standOn(saved);
    const typedSince = differing(sent, form.getValues());
    form.reset(valuesOf(saved));
    for (const [name, value] of typedSince) form.setValue(name, value, { shouldDirty: true });
    adopt(saved);
    show.saved(saved);
    showSuccess('Settings updated successfully');
    refresh('/users', '/departments');
  };
  const submit = form.handleSubmit(async (body) => {
    try {
      await save(body, base.version).catch((error: unknown) => {
        const current = conflictOf<User>(error);
        // A version counts signing in and finished tasks as well: only what stands in this form is worth a question.
        if (current && readsAlike(valuesOf(base), valuesOf(current))) return save(body, current.version);
        throw error;
      });
    } catch (error) {
      if (editing.meet(error, form)) return;
      showFieldErrors(error, ['firstName', 'lastName', 'phone', 'location', 'department', 'bio'], form.setError);
      showFailure(error, 'Failed to update settings');
    }
  });
  return { editing, form, submit, draft };
}

/** What of one differs in the other. */
function differing(one: ProfileValues, other: ProfileValues) {
  const entries = Object.entries(other) as [keyof ProfileValues, string][];
  return entries.filter(([name, value]) => one[name] !== value);
}
