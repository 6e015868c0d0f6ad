import type { Mentions } from '@atrium/proto-events/text/mentions';
import { formatNumber } from '#lib/number-formats.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';

type Props = { mentions: Mentions; participantCount: number; onSend: () => void; onClose: () => void };

/** Asks before a message notifies many users. */
export function ConfirmNotify({ mentions, participantCount, onSend, onClose }: Props) {
  const count = formatNumber(participantCount - 1);
  return (
    <ConfirmDialog
      title={mentions.everyone ? `Notify ${count} people?` : `Notify up to ${count} people?`}
      action="Send"
      failure="Failed to send message"
      isDangerous={false}
      onConfirm={() => Promise.resolve(onSend())}
      onClose={onClose}
    >
      {mentions.everyone
        ? 'Your message mentions everyone in this conversation.'
        : 'Your message mentions everyone in this conversation who is online.'}
    </ConfirmDialog>
  );
}
