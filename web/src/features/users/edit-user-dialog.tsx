import type { User } from '@atrium/proto-events/people';
import { isolate } from '@atrium/proto-events/text/isolate';
import { displayName } from '#entities/user/person.ts';
import { useUser } from '#entities/user/use-people.ts';
import { FormDialog } from '#ui/forms/form-dialog.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { showError } from '#ui/overlays/toast.ts';
import { EditUserFields, USER_FIELDS } from './edit-user-fields.tsx';
import { editUserSchema, valuesOf } from './edit-user-schema.ts';
import { useUserActions } from './use-user-actions.ts';

type Props = { user: User; onClose: () => void };

export function EditUserDialog({ user: listed, onClose }: Props) {
  const { data: user = listed } = useUser(listed._id, listed);
  const { update } = useUserActions();
  const editing = useVersionedForm({
    resource: user,
    valuesOf,
    fields: USER_FIELDS,
    schema: editUserSchema,
    draft: `user:${user._id}`,
    save: (body, version) => update(user._id, { ...body, version }),
    messages: { saved: 'User updated successfully', failed: 'Failed to update user' },
    onSaved: onClose,
    onInvalid: ({ firstName, lastName }) => {
      const message = firstName?.message ?? lastName?.message;
      if (message) showError('Validation Error', message);
    },
  });
  const { control } = editing;
  return (
    <FormDialog
      form={editing}
      title="Edit User"
      description={`${isolate(displayName(user))}, ${user.email}`}
      onClose={onClose}
      what="this person"
      action="Save Changes"
      busyAction="Saving..."
    >
      <EditUserFields control={control} user={user} />
    </FormDialog>
  );
}
