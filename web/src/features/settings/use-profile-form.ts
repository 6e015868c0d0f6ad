import type { updateProfile } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { call } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { conflictOf } from '../../lib/conflict.ts';
import { showFieldErrors } from '../../lib/server-errors.ts';
import { adopt } from '../../lib/session.ts';
import { useEntryForm } from '../../lib/use-entry-form.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import { showError, showSuccess } from '../../ui/toast.ts';
import { profileSchema, readsAlike, valuesOf } from './profile-schema.ts';

type Body = z.output<typeof profileSchema>;

/** One's own profile: saved over nobody's newer save, and following it while nothing is typed. */
export function useProfileForm(user: User) {
  const form = useEntryForm({ resolver: zodResolver(profileSchema), defaultValues: valuesOf(user) });
  /** The profile that the form was filled from, and what somebody else made of it meanwhile. */
  const [base, setBase] = useState(user);
  const [theirs, setTheirs] = useState<User | null>(null);
  const refresh = useRefresh();
  const { isDirty } = form.formState;

  const fillFrom = (profile: User) => {
    setBase(profile);
    setTheirs(null);
    form.reset(valuesOf(profile));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer profile fills the form, nothing else does
  useEffect(() => {
    if (!isDirty) fillFrom(user);
  }, [user]);

  const save = async (body: Body, version: number) => {
    const saved = await call<typeof updateProfile>('PATCH /users/profile', { body: { ...body, version } });
    adopt(saved);
    fillFrom(saved);
    showSuccess('Settings updated successfully');
    await refresh('/users', '/departments');
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
      const current = conflictOf<User>(error);
      if (current) return setTheirs(current);
      showFieldErrors(error, ['firstName', 'lastName', 'phone', 'location', 'department', 'bio'], form.setError);
      showError('Error', messageOf(error, 'Failed to update settings'));
    }
  });
  const keepMine = () => {
    if (theirs) setBase(theirs);
    setTheirs(null);
  };
  const takeTheirs = () => theirs && fillFrom(theirs);
  return { form, submit, theirs, keepMine, takeTheirs };
}
