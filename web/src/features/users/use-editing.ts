import type { User } from '@atrium/proto-events/people';
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { ApiError, messageOf } from '../../lib/api-error.ts';
import { conflictOf } from '../../lib/conflict.ts';
import { showFieldErrors } from '../../lib/server-errors.ts';
import { useEntryForm } from '../../lib/use-entry-form.ts';
import { showError, showSuccess } from '../../ui/toast.ts';
import { editUserSchema, valuesOf } from './edit-user-schema.ts';
import { useUserActions } from './use-users.ts';

const FIELDS = ['firstName', 'lastName', 'phone', 'location', 'department', 'role', 'status', 'bio', 'skills'] as const;

/** Follows what others save for as long as nothing is typed; from then on a save of theirs is a conflict that this one meets. */
export function useEditing(user: User, onDone: () => void) {
  // What the form was filled from; its version goes with the save.
  const [base, setBase] = useState(user);
  const [theirs, setTheirs] = useState<User>();
  const [refusal, setRefusal] = useState<string | null>(null);
  const form = useEntryForm({ resolver: zodResolver(editUserSchema), defaultValues: valuesOf(user) });
  const { update } = useUserActions();
  const isFollowing = user.version > base.version && !form.formState.isDirty && !form.formState.isSubmitting;
  useEffect(() => {
    if (!isFollowing) return;
    form.reset(valuesOf(user));
    setBase(user);
  }, [isFollowing, user, form.reset]);
  const submit = form.handleSubmit(
    async (body) => {
      setRefusal(null);
      try {
        await update(user._id, { ...body, version: base.version });
        showSuccess('User updated successfully');
        onDone();
      } catch (error) {
        const current = conflictOf<User>(error);
        if (current) {
          // Only what was typed stands against theirs; what was not touched is theirs.
          form.reset(valuesOf(current), { keepDirtyValues: true });
          setBase(current);
          setTheirs(current);
          return;
        }
        const message = messageOf(error, 'Failed to update user');
        showFieldErrors(error, FIELDS, form.setError);
        // What the rules forbid, such as ending the last administrator, is no fault of one field and has to stay readable.
        if (error instanceof ApiError && error.status === 409) setRefusal(message);
        showError('Error', message);
      }
    },
    ({ firstName, lastName }) => {
      const message = firstName?.message ?? lastName?.message;
      if (message) showError('Validation Error', message);
    },
  );
  const keepMine = () => setTheirs(undefined);
  const takeTheirs = () => {
    keepMine();
    form.reset(valuesOf(base));
  };
  return { form, submit, theirs, keepMine, takeTheirs, refusal };
}
