import type { User } from '@atrium/proto-events/people';
import { compared } from '../../lib/conflict.ts';
import { useAllDepartments } from '../../lib/use-all-departments.ts';
import { ConflictNotice } from '../../ui/conflict-notice.tsx';
import { Dialog, DialogBody } from '../../ui/dialog.tsx';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import { FormFoot } from '../../ui/form-foot.tsx';
import { Notice } from '../../ui/notice.tsx';
import { displayName } from '../../ui/person.ts';
import { EditUserFields } from './edit-user-fields.tsx';
import { shownValues, valuesOf } from './edit-user-schema.ts';
import { useEditing } from './use-editing.ts';
import { useUser } from './use-users.ts';

type Props = { user: User; isOpen: boolean; onClose: () => void };

export function EditUserDialog({ user, isOpen, onClose }: Props) {
  const { data = user } = useUser(user);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Edit User" description={`${displayName(data)}, ${data.email}`}>
      <EditUserForm user={data} onDone={onClose} />
    </Dialog>
  );
}

function EditUserForm({ user, onDone }: { user: User; onDone: () => void }) {
  const { form, submit, theirs, keepMine, takeTheirs, refusal, draft } = useEditing(user, onDone);
  const departments = useAllDepartments().data?.data ?? [];
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        {!theirs && <DraftNotice draft={draft} />}
        {theirs && (
          <ConflictNotice
            what="this person"
            fields={compared(form.getValues(), valuesOf(theirs), shownValues([user, theirs], departments))}
            onKeepMine={keepMine}
            onTakeTheirs={() => takeTheirs(form)}
          />
        )}
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
