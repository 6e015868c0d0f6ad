import type { User } from '@atrium/proto-events/people';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { ApiError, messageOf } from '../../lib/api-error.ts';
import { compared } from '../../lib/conflict.ts';
import { showFieldErrors } from '../../lib/server-errors.ts';
import { useConflict } from '../../lib/use-conflict.ts';
import { useEntryForm } from '../../lib/use-entry-form.ts';
import { ConflictNotice } from '../../ui/conflict-notice.tsx';
import { Dialog, DialogBody } from '../../ui/dialog.tsx';
import { FormFoot } from '../../ui/form-foot.tsx';
import { Notice } from '../../ui/notice.tsx';
import { displayName } from '../../ui/person.ts';
import { showError, showSuccess } from '../../ui/toast.ts';
import { EditUserFields } from './edit-user-fields.tsx';
import { editUserSchema, shownValues, valuesOf } from './edit-user-schema.ts';
import { useDepartments, useUserActions } from './use-users.ts';

type Props = { user: User; isOpen: boolean; onClose: () => void };

export function EditUserDialog({ user, isOpen, onClose }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Edit User" description={`${displayName(user)}, ${user.email}`}>
      <EditUserForm user={user} onDone={onClose} />
    </Dialog>
  );
}

const FIELDS = ['firstName', 'lastName', 'phone', 'location', 'department', 'role', 'status', 'bio', 'skills'] as const;

function EditUserForm({ user, onDone }: { user: User; onDone: () => void }) {
  const form = useEntryForm({ resolver: zodResolver(editUserSchema), defaultValues: valuesOf(user) });
  const conflict = useConflict(user);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { update } = useUserActions();
  const departments = useDepartments().data?.data ?? [];
  const save = form.handleSubmit(
    async (body) => {
      setRefusal(null);
      try {
        await update(user._id, { ...body, version: conflict.version });
        showSuccess('User updated successfully');
        onDone();
      } catch (error) {
        if (conflict.meet(error)) return;
        const message = messageOf(error, 'Failed to update user');
        showFieldErrors(error, FIELDS, form.setError);
        // What the server forbids, such as ending the last administrator, is no fault of one field and has to stay readable.
        if (error instanceof ApiError && error.status === 409) setRefusal(message);
        showError('Error', message);
      }
    },
    ({ firstName, lastName }) => {
      const message = firstName?.message ?? lastName?.message;
      if (message) showError('Validation Error', message);
    },
  );
  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      <DialogBody>
        {conflict.theirs && (
          <ConflictNotice
            what="this person"
            fields={compared(
              form.getValues(),
              valuesOf(conflict.theirs),
              shownValues([user, conflict.theirs], departments),
            )}
            onKeepMine={conflict.settle}
            onTakeTheirs={() => {
              form.reset(conflict.theirs ? valuesOf(conflict.theirs) : undefined);
              conflict.settle();
            }}
          />
        )}
        {refusal && <Notice tone="danger">{refusal}</Notice>}
        <EditUserFields control={form.control} user={user} />
      </DialogBody>
      <FormFoot action="Save Changes" busyAction="Saving..." isBusy={form.formState.isSubmitting} />
    </form>
  );
}
