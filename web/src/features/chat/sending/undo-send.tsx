import { type RefObject, Suspense } from 'react';
import { lazyNamed } from '#lib/lazy.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { useSentMessage } from './sent-messages.ts';

const UndoSendButton = lazyNamed(() => import('./undo-send-button.tsx'), 'UndoSendButton');

type Props = { logId: string; field: RefObject<HTMLTextAreaElement | null> };

export function UndoSend({ logId, field }: Props) {
  const sent = useSentMessage(logId);
  return (
    <>
      {/* Exists before its text, which is announced therefore. */}
      <VisuallyHidden role="status">{sent && 'Message sent. Undo is available for 10 seconds.'}</VisuallyHidden>
      {sent && (
        <Suspense fallback={null}>
          <UndoSendButton key={sent.message._id} logId={logId} sent={sent} field={field} />
        </Suspense>
      )}
    </>
  );
}
