import type { changeScheduled, deleteScheduled, ScheduledMessage } from '@atrium/proto-events/http/chat/scheduled';
import { countChars } from '@atrium/proto-events/text-length';
import { type FormEvent, type RefObject, useState } from 'react';
import { labelsOf } from '#entities/conversation/mention-labels.ts';
import { call } from '#lib/api/api.ts';
import { useCloseDialog, useUnsavedChanges } from '#lib/forms/unsaved-changes.ts';
import { Button } from '#ui/button.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { FormFailure } from '#ui/notice.tsx';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { useEditConfirmation } from '../mentions/use-edit-confirmation.ts';
import { fromContent, toContent, withText } from '../text/composed-text.ts';
import { contentOf, MAX_CHARACTERS } from '../text/message-text.tsx';
import { DueTimeDialog } from './due-time-dialog.tsx';
import { dueTimeText, sendTimes } from './due-times.ts';
import type { RequestedAction } from './scheduled-row.tsx';

type Props = {
  requested: RequestedAction;
  onDone: () => void;
  onClose: () => void;
  list: RefObject<HTMLElement | null>;
};
type DialogProps = { scheduled: ScheduledMessage; onDone: () => void; onClose: () => void };

export function ScheduledDialogs({ requested: { action, scheduled }, list, ...props }: Props) {
  if (action === 'edit') return <EditDialog scheduled={scheduled} {...props} />;
  if (action === 'reschedule') return <RescheduleDialog scheduled={scheduled} {...props} />;
  return <DeleteDialog scheduled={scheduled} list={list} {...props} />;
}

const change = (id: string, body: { content?: string; sendAt?: string }) =>
  call<typeof changeScheduled>('PATCH /chat/scheduled/:id', { params: { id }, body });

function EditDialog(props: DialogProps) {
  return (
    <Dialog title="Edit scheduled message" onClose={props.onClose}>
      <EditForm {...props} />
    </Dialog>
  );
}

function EditForm({ scheduled, onDone, onClose }: DialogProps) {
  const [composed, setComposed] = useState(() => fromContent(scheduled.content, labelsOf(scheduled.mentions)));
  const content = contentOf(toContent(composed));
  useUnsavedChanges(content !== scheduled.content);
  const close = useCloseDialog();
  const isTooLong = countChars(content) > MAX_CHARACTERS;
  const { run, isBusy, failure } = useAction(async () => {
    await change(scheduled._id, { content });
    onDone();
    onClose();
  }, 'Failed to change the message');
  const edit = { conversationId: scheduled.conversation, content, before: scheduled.content };
  const { submit, confirmation, isPreparing } = useEditConfirmation(edit, () => void run());
  const save = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  return (
    <form onSubmit={save} noValidate>
      <DialogBody>
        <TextArea
          label="Message"
          rows={6}
          value={composed.text}
          onChange={(text) => setComposed(withText(composed, text))}
          error={isTooLong ? `Message must be at most ${MAX_CHARACTERS} characters` : undefined}
        />
        {confirmation}
        <FormFailure failure={failure} />
      </DialogBody>
      <DialogFooter>
        <Button onPress={close} isDisabled={isBusy}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" isBusy={isBusy} isDisabled={content === '' || isTooLong || isPreparing}>
          Save
        </Button>
      </DialogFooter>
    </form>
  );
}

function RescheduleDialog({ scheduled, onDone, onClose }: DialogProps) {
  return (
    <DueTimeDialog
      title="Reschedule"
      suggestions={sendTimes}
      action="Reschedule"
      failure="Failed to reschedule the message"
      onChoose={async (at) => {
        const { sendAt } = await change(scheduled._id, { sendAt: at.toISOString() });
        showSuccess('Message rescheduled', `It will be sent ${dueTimeText(sendAt)}.`);
        onDone();
      }}
      onClose={onClose}
    />
  );
}

function DeleteDialog({ scheduled, list, onDone, onClose }: DialogProps & Pick<Props, 'list'>) {
  return (
    <ConfirmDialog
      title="Delete scheduled message?"
      action="Delete"
      failure="Failed to delete the message"
      onConfirm={async () => {
        await call<typeof deleteScheduled>('DELETE /chat/scheduled/:id', { params: { id: scheduled._id } });
        onDone();
      }}
      onClose={onClose}
      focusAfter={list}
    >
      It will not be sent, and its text will be lost.
    </ConfirmDialog>
  );
}
