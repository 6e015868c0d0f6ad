import type { Message } from '@atrium/proto-events/http/chat/messages';
import { useState } from 'react';
import { attachmentsLine, messageLine } from '#entities/conversation/conversation-labels.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import type { MessageRow } from './message-rows.ts';

type Props = { rows: readonly MessageRow[]; lastSeq: number; currentUserId: string };

/** More are not listened to. */
const MAX_ANNOUNCED = 5;

/**
 * Announces messages of others to screen readers. The list itself cannot be a live region, because its rows are mounted
 * and unmounted while scrolling.
 */
export function LatestMessages({ rows, lastSeq, currentUserId }: Props) {
  const [initialSeq] = useState(lastSeq);
  const latest = rows
    .slice(-MAX_ANNOUNCED)
    .flatMap((row) => (row.kind === 'message' && row.message.seq > initialSeq ? [row.message] : []))
    .filter(({ sender, deleted }) => sender._id !== currentUserId && !deleted);
  return (
    <VisuallyHidden role="log">
      {latest.map((message) => (
        <p key={message._id}>
          {displayName(message.sender)}: {fullLine(message)}
        </p>
      ))}
    </VisuallyHidden>
  );
}

/** The line of a message names its files only if there is no text. */
function fullLine(message: Message): string {
  const line = messageLine(message);
  const files = attachmentsLine(message.attachments);
  return files === '' || files === line ? line : `${line}, ${files}`;
}
