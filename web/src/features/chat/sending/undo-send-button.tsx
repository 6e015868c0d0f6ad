import { Undo2 } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { Button } from '#ui/button.tsx';
import { showErrorToast } from '#ui/overlays/toast.ts';
import { retractMessage } from './retract-message.ts';
import { forgetSent, type SentMessage, UNDO_MS } from './sent-messages.ts';

type Props = { logId: string; sent: SentMessage; field: RefObject<HTMLTextAreaElement | null> };

export function UndoSendButton({ logId, sent, field }: Props) {
  const isFocused = useRef(false);
  useEffect(() => {
    const end = () => {
      // Focus must not be lost with the button.
      if (isFocused.current) field.current?.focus();
      forgetSent(logId);
    };
    const timer = setTimeout(end, sent.sentAt + UNDO_MS - Date.now());
    return () => clearTimeout(timer);
  }, [logId, sent, field]);
  const undo = async () => {
    field.current?.focus();
    forgetSent(logId);
    try {
      await retractMessage(sent);
    } catch (error) {
      showErrorToast(error, 'Failed to undo sending');
    }
  };
  return (
    <Button
      variant="ghost"
      size="sm"
      icon={<Undo2 />}
      preventFocusOnPress
      onFocusChange={(next) => {
        isFocused.current = next;
      }}
      onPress={() => void undo()}
    >
      Undo
    </Button>
  );
}
