import { Undo2 } from 'lucide-react';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { currentUserId } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { retractMessage } from './retract-message.ts';
import { forgetSent, type SentMessage } from './sent-messages.ts';

type Props = { logId: string; sent: SentMessage; field: RefObject<HTMLTextAreaElement | null> };

export function UndoSendButton({ logId, sent, field }: Props) {
  const isFocused = useRef(false);
  // Focus must not be lost with the button.
  useLayoutEffect(() => {
    return () => {
      if (isFocused.current) field.current?.focus();
    };
  }, [field]);
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
      onFocusChange={(next) => {
        isFocused.current = next;
      }}
      onPress={() => {
        field.current?.focus();
        void undo.run();
      }}
    >
      Undo
    </Button>
  );
}
