import type { Conversation } from '@atrium/proto-events/http/chat';
import { listMentions } from '@atrium/proto-events/text/mentions';
import { Suspense, useState } from 'react';
import { lazyNamed } from '#lib/lazy.ts';

const ConfirmNotify = lazyNamed(() => import('./confirm-notify.tsx'), 'ConfirmNotify');

/** Conversations with more participants ask before all of them are mentioned. */
const MAX_UNCONFIRMED = 50;

/** Sends a message, after a confirmation if it mentions everyone in a large conversation. */
export function useNotifyConfirmation({ participantCount }: Conversation, content: string, onSend: () => void) {
  const [isAsking, setAsking] = useState(false);
  const mentions = listMentions(content);
  const isRequired = (mentions.here || mentions.everyone) && participantCount > MAX_UNCONFIRMED;
  return {
    submit: () => (isRequired ? setAsking(true) : onSend()),
    confirmation: isAsking && (
      <Suspense fallback={null}>
        <ConfirmNotify
          mentions={mentions}
          participantCount={participantCount}
          onSend={onSend}
          onClose={() => setAsking(false)}
        />
      </Suspense>
    ),
  };
}
