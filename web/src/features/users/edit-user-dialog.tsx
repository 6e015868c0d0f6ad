import type { User } from '@atrium/proto-events/people';
import { isolate } from '@atrium/proto-events/text/isolate';
import { displayName } from '#entities/user/person.ts';
import { useUser } from '#entities/user/use-people.ts';
import { DialogForm } from '#ui/forms/dialog-form.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { showError } from '#ui/overlays/toast.ts';
import { EditUserFields, USER_FIELDS } from './edit-user-fields.tsx';
import { editUserSchema, valuesOf } from './edit-user-schema.ts';
import { useUserActions } from './use-user-actions.ts';

type Props = { user: User; isOpen: boolean; onClose: () => void };

export function EditUserDialog({ user, isOpen, onClose }: Props) {
  const { data = user } = useUser(user._id, user);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Edit User"
      description={`${isolate(displayName(data))}, ${data.email}`}
    >
      <EditUserForm user={data} onDone={onClose} />
    </Dialog>
  );
}

function EditUserForm({ user, onDone }: { user: User; onDone: () => void }) {
  const { update } = useUserActions();
  const editing = useVersionedForm({
    resource: user,
    valuesOf,
    fields: USER_FIELDS,
    schema: editUserSchema,
    draft: `user:${user._id}`,
    save: (body, version) => update(user._id, { ...body, version }),
    messages: { saved: 'User updated successfully', failed: 'Failed to update user' },
    onSaved: onDone,
    onInvalid: ({ firstName, lastName }) => {
      const message = firstName?.message ?? lastName?.message;
      if (message) showError('Validation Error', message);
    },
  });
  const { control } = editing;
  return (
    <DialogForm of={editing} what="this person" action="Save Changes" busyAction="Saving...">
      <EditUserFields control={control} user={user} />
    </DialogForm>
  );
}
