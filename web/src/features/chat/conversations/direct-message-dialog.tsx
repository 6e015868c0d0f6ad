import type { Conversation } from '@atrium/proto-events/http/chat';
import { useState } from 'react';
import { PeopleField } from '#entities/user/people-field.tsx';
import { useCurrentUser } from '#lib/session/use-session.ts';
import { Button } from '#ui/button.tsx';
import { FormFailure } from '#ui/forms/form-failure.tsx';
import { Dialog, DialogBody, DialogFooter } from '#ui/overlays/dialog.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { useConversationActions } from './use-conversation-actions.ts';

type Props = { onClose: () => void; onStarted: (conversation: Conversation) => void };

/** Opens the direct conversation with a user, creating it if necessary. */
export function DirectMessageDialog({ onClose, onStarted }: Props) {
  const me = useCurrentUser()._id;
  const { create } = useConversationActions();
  const [chosen, setChosen] = useState<string[]>([]);
  const {
    run: start,
    isBusy,
    failure,
  } = useAction(
    async () => onStarted(await create({ type: 'direct', participants: chosen })),
    'Failed to start conversation',
  );
  return (
    <Dialog onClose={onClose} title="Start Direct Message" isDismissable>
      <DialogBody>
        <PeopleField label="To" value={chosen} onChange={setChosen} without={[me]} mode="single" />
        <FormFailure failure={failure} />
      </DialogBody>
      <DialogFooter>
        <Button onPress={onClose}>Cancel</Button>
        <Button variant="primary" onPress={() => void start()} isDisabled={chosen.length === 0} isBusy={isBusy}>
          Start Conversation
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
