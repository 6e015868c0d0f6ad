import { useState } from 'react';
import { attachmentsLine, messageText } from '#entities/conversation/conversation-labels.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import type { MessageRow } from './message-rows.ts';

type Props = { rows: readonly MessageRow[]; lastSeq: number; currentUserId: string };

/**
 * Announces messages of others to screen readers. The list itself cannot be a live region, because its rows are mounted
 * and unmounted while scrolling.
 */
export function LatestMessage({ rows, lastSeq, currentUserId }: Props) {
  const last = rows.findLast((row) => row.kind === 'message')?.message;
  const [initialSeq] = useState(lastSeq);
  const isNewMessage =
    last !== undefined && last.seq > initialSeq && last.sender._id !== currentUserId && !last.deleted;
  return (
    <VisuallyHidden role="log">
      {isNewMessage && (
        <p key={last._id}>
          {displayName(last.sender)}:{' '}
          {[messageText(last), attachmentsLine(last.attachments)].filter(Boolean).join(', ')}
        </p>
      )}
    </VisuallyHidden>
  );
}
