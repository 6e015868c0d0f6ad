import type { User } from '@atrium/proto-events/people';
import { useState } from 'react';
import { useAllDepartments } from '../../entities/department/use-departments.ts';
import { displayName } from '../../entities/person/person.ts';
import { useUser } from '../../entities/person/use-people.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { EditForm } from '../../ui/forms/edit-form.tsx';
import { useVersionedForm } from '../../ui/forms/use-versioned-form.ts';
import { Notice } from '../../ui/notice.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { showError } from '../../ui/overlays/toast.ts';
import { EditUserFields } from './edit-user-fields.tsx';
import { editUserSchema, shownValues, valuesOf } from './edit-user-schema.ts';
import { useUserActions } from './use-user-actions.ts';

type Props = { user: User; isOpen: boolean; onClose: () => void };

export function EditUserDialog({ user, isOpen, onClose }: Props) {
  const { data = user } = useUser(user._id, user);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Edit User" description={`${displayName(data)}, ${data.email}`}>
      <EditUserForm user={data} onDone={onClose} />
    </Dialog>
  );
}

function EditUserForm({ user, onDone }: { user: User; onDone: () => void }) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const { update } = useUserActions();
  const editing = useVersionedForm({
    resource: user,
    valuesOf,
    schema: editUserSchema,
    draft: `user:${user._id}`,
    save: (body, version) => {
      setRefusal(null);
      return update(user._id, { ...body, version });
    },
    words: { saved: 'User updated successfully', failed: 'Failed to update user' },
    onSaved: onDone,
    // What the rules forbid, such as ending the last administrator, is no fault of one field and has to stay readable.
    onFailure: (error) => error instanceof ApiError && error.status === 409 && setRefusal(error.message),
    onInvalid: ({ firstName, lastName }) => {
      const message = firstName?.message ?? lastName?.message;
      if (message) showError('Validation Error', message);
    },
  });
  const { theirs, control } = editing;
  const departments = useAllDepartments().data?.data ?? [];
  const shown = shownValues(theirs ? [user, theirs] : [user], departments);
  return (
    <EditForm of={editing} what="this person" shown={shown} action="Save Changes" busyAction="Saving...">
      {refusal && <Notice tone="danger">{refusal}</Notice>}
      <EditUserFields control={control} user={user} />
    </EditForm>
  );
}
