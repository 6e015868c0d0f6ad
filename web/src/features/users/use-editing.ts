import type { User } from '@atrium/proto-events/people';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { ApiError, messageOf } from '../../lib/api/api-error.ts';
import { showFieldErrors } from '../../lib/api/server-errors.ts';
import { useBase, useFollowing } from '../../lib/forms/use-base.ts';
import { useEntryForm } from '../../lib/forms/use-entry-form.ts';
import { useStoredDraft } from '../../lib/forms/use-stored-draft.ts';
import { showError, showSuccess } from '../../ui/overlays/toast.ts';
import { editUserSchema, valuesOf } from './edit-user-schema.ts';
import { useUserActions } from './use-user-actions.ts';

const FIELDS = ['firstName', 'lastName', 'phone', 'location', 'department', 'role', 'status', 'bio', 'skills'] as const;

/** Saves what was typed over nobody's newer save, and keeps readable what the rules refuse. */
export function useEditing(user: User, onDone: () => void) {
  const editing = useBase(user, valuesOf);
  const [refusal, setRefusal] = useState<string | null>(null);
  const form = useEntryForm({ resolver: zodResolver(editUserSchema), defaultValues: valuesOf(user) });
  const draft = useStoredDraft(form, `user:${user._id}`, editing.meetBase);
  useFollowing(user, editing, form);
  const { update } = useUserActions();
  const submit = form.handleSubmit(
    async (body) => {
      setRefusal(null);
      try {
        await update(user._id, { ...body, version: editing.base.version });
        showSuccess('User updated successfully');
        onDone();
      } catch (error) {
        if (editing.meet(error, form)) return;
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
  return { editing, form, submit, refusal, draft };
}
