import { Undo2 } from 'lucide-react';
import type { RefObject } from 'react';
import { useFocusOnRemoval } from '#lib/hooks/use-focus-on-removal.ts';
import { currentUserId } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { retractMessage } from './retract-message.ts';
import { forgetSent, type SentMessage } from './sent-messages.ts';

type Props = { logId: string; sent: SentMessage; field: RefObject<HTMLTextAreaElement | null> };

export function UndoSendButton({ logId, sent, field }: Props) {
  const focusProps = useFocusOnRemoval(() => field.current);
  const undo = useAction(async () => {
    const owner = currentUserId();
    await retractMessage(sent);
    forgetSent(owner, logId, sent.message._id);
  }, 'Failed to undo sending');
  return (
    <Button
      variant="ghost"
      size="sm"
      icon={<Undo2 />}
      preventFocusOnPress
      isBusy={undo.isBusy}
      onPress={() => {
        field.current?.focus();
        void undo.run();
      }}
      {...focusProps}
    >
      Undo
    </Button>
  );
}
