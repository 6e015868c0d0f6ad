import { useState } from 'react';
import { attachmentsLine } from '../../../entities/conversation/attachment-labels.ts';
import { displayName } from '../../../entities/user/person.ts';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import type { MessageRow } from './message-rows.ts';

type Props = { rows: readonly MessageRow[]; lastSeq: number; me: string };

/**
 * Says aloud what somebody else writes while the conversation is open. The list itself cannot be the log that assistive technology
 * follows: its rows come and go with scrolling, and each that comes would be read as new.
 */
export function LatestMessage({ rows, lastSeq, me }: Props) {
  const last = rows.findLast((row) => row.kind === 'message')?.message;
  const [opened] = useState(lastSeq);
  const isNews = last !== undefined && last.seq > opened && last.sender._id !== me && !last.deleted;
  return (
    <VisuallyHidden role="log">
      {isNews && (
        <p key={last._id}>
          {displayName(last.sender)}: {[last.content, attachmentsLine(last.attachments)].filter(Boolean).join(', ')}
        </p>
      )}
    </VisuallyHidden>
  );
}
