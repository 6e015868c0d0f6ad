import type { forwardMessage } from '@atrium/proto-events/http/chat/forwarding';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { isolate } from '@atrium/proto-events/text/isolate';
import { type FormEvent, useState } from 'react';
import { messageLine } from '#entities/conversation/conversation-labels.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { call } from '#lib/api/api.ts';
import { useCloseDialog, useUnsavedChanges } from '#lib/forms/unsaved-changes.ts';
import { newUuid } from '#lib/new-uuid.ts';
import { Button } from '#ui/button.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { FormFailure } from '#ui/notice.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { useConversationActions } from '../conversations/use-conversation-actions.ts';
import { sentWriter } from '../log/write-messages.ts';
import { ForwardPreview } from './forward-preview.tsx';
import { type Target, TargetPicker } from './target-picker.tsx';

const MAX_COMMENT_LENGTH = 10_000;

type Props = { message: Message; onClose: () => void };

export function ForwardDialog({ message, onClose }: Props) {
  return (
    <Dialog title="Forward message" onClose={onClose}>
      <ForwardForm message={message} onClose={onClose} />
    </Dialog>
  );
}

function ForwardForm({ message, onClose }: Props) {
  const { create } = useConversationActions();
  const [target, setTarget] = useState<Target | null>(null);
  const [comment, setComment] = useState('');
  const [clientMessageId] = useState(newUuid);
  useUnsavedChanges(comment !== '');
  const close = useCloseDialog();
  const forward = useAction(async ({ kind, id, name }: Target) => {
    const conversation = kind === 'conversation' ? id : (await create({ type: 'direct', participants: [id] }))._id;
    const input = { params: { id: message._id }, body: { conversation, comment, clientMessageId } };
    const writeSent = sentWriter(conversation);
    writeSent(await call<typeof forwardMessage>('POST /chat/messages/:id/forward', input));
    showSuccess(`Forwarded to ${isolate(name)}`);
    onClose();
  }, 'Failed to forward the message');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (target && comment.length <= MAX_COMMENT_LENGTH) void forward.run(target);
  };
  const { sender, content, mentions } = message.forwarded ?? message;
  return (
    <form onSubmit={submit} noValidate>
      <DialogBody>
        <TargetPicker value={target} onChange={setTarget} />
        <TextArea
          label="Comment"
          placeholder="Optional"
          value={comment}
          onChange={setComment}
          maxLength={MAX_COMMENT_LENGTH}
          rows={2}
        />
        <ForwardPreview
          name={displayName(sender)}
          text={messageLine({ ...message, forwarded: null, content, mentions })}
        />
        <FormFailure failure={forward.failure} />
      </DialogBody>
      <DialogFooter>
        <Button onPress={close}>Cancel</Button>
        <Button type="submit" variant="primary" isDisabled={target === null} isBusy={forward.isBusy}>
          Forward
        </Button>
      </DialogFooter>
    </form>
  );
}
