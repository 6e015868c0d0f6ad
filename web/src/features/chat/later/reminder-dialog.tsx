import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { removeReminder, setReminder } from '@atrium/proto-events/http/chat/scheduled';
import { call } from '#lib/api/api.ts';
import { showErrorToast, showSuccess } from '#ui/overlays/toast.ts';
import { responseWriter } from '../log/write-messages.ts';
import { DueTimeDialog } from './due-time-dialog.tsx';
import { dueTimeText, reminderTimes } from './due-times.ts';

type Props = { message: Message; onSet?: () => void; onClose: () => void };

export function ReminderDialog({ message, onSet, onClose }: Props) {
  return (
    <DueTimeDialog
      title="Remind me"
      description="Saves the message and notifies you."
      suggestions={reminderTimes}
      action="Set reminder"
      failure="Failed to set the reminder"
      onChoose={async (at) => {
        const write = responseWriter(message);
        const body = { at: at.toISOString() };
        write(await call<typeof setReminder>('PUT /chat/messages/:id/reminder', { params: { id: message._id }, body }));
        showSuccess('Reminder set', `You will be reminded ${dueTimeText(body.at)}.`);
        onSet?.();
      }}
      onClose={onClose}
    />
  );
}

export async function endReminder({ _id }: Message): Promise<void> {
  try {
    await call<typeof removeReminder>('DELETE /chat/messages/:id/reminder', { params: { id: _id } });
    showSuccess('Reminder removed');
  } catch (error) {
    showErrorToast(error, 'Failed to remove the reminder');
  }
}
