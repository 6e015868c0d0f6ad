import type { User } from '@atrium/proto-events/people';
import { useAllDepartments } from '../../entities/department/use-departments.ts';
import { displayName } from '../../entities/person/person.ts';
import { useUser } from '../../entities/person/use-people.ts';
import { EditNotices } from '../../ui/edit-notices.tsx';
import { FormFoot } from '../../ui/form-foot.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Dialog, DialogBody } from '../../ui/overlays/dialog.tsx';
import { EditUserFields } from './edit-user-fields.tsx';
import { shownValues } from './edit-user-schema.ts';
import { useEditing } from './use-editing.ts';

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
  const { editing, form, submit, refusal, draft } = useEditing(user, onDone);
  const { theirs } = editing;
  const departments = useAllDepartments().data?.data ?? [];
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        <EditNotices
          form={form}
          editing={editing}
          draft={draft}
          what="this person"
          shown={shownValues(theirs ? [user, theirs] : [user], departments)}
        />
        {refusal && <Notice tone="danger">{refusal}</Notice>}
        <EditUserFields control={form.control} user={user} />
      </DialogBody>
      <FormFoot
        action="Save Changes"
        busyAction="Saving..."
        isBusy={form.formState.isSubmitting}
        isDisabled={theirs !== undefined}
      />
    </form>
  );
}
