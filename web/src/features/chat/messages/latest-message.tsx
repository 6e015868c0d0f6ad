import { useState } from 'react';
import { attachmentsLine } from '../../../entities/conversation/attachment-words.ts';
import { displayName } from '../../../entities/person/person.ts';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import type { MessageRow } from './message-rows.ts';

type Props = { rows: readonly MessageRow[]; lastSeq: number; me: string };

/**
 * Says aloud what somebody else writes while the conversation is open. The list itself cannot be the log that assistive technology
 * follows: its rows come and go with scrolling, and each that comes would be read as new.
 */
export function LatestMessage({ rows, lastSeq, me }: Props) {
  const last = rows.findLast((row) => row.kind === 'message')?.message;
  // The highest that was there, and whether that is what was said: it is not said again when it is the last once more, nor one before it.
  const [heard, setHeard] = useState({ seq: lastSeq, isSaid: false });
  const seq = last?.seq ?? 0;
  if (seq > heard.seq) setHeard({ seq, isSaid: true });
  else if (seq < heard.seq && heard.isSaid) setHeard({ ...heard, isSaid: false });
  const isNews = last !== undefined && heard.isSaid && last.sender._id !== me && !last.deleted;
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
