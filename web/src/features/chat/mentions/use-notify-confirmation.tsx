import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { listMentions, mentionsGroups } from '@atrium/proto-events/text/mentions';
import { Suspense, useState } from 'react';
import { lazyNamed } from '#lib/lazy.ts';
import { countMentionedPeople } from './mentioned-people.ts';

const ConfirmNotify = lazyNamed(() => import('./confirm-notify.tsx'), 'ConfirmNotify');
const MentionDenied = lazyNamed(() => import('./confirm-notify.tsx'), 'MentionDenied');

/** Messages that notify more people ask first. */
const MAX_UNCONFIRMED = 50;

/**
 * Sends a message, after a confirmation if it mentions many people. Says so instead if the user cannot mention everyone
 * in the conversation.
 */
export function useNotifyConfirmation(
  conversation: Conversation | undefined,
  content: string,
  onSend: () => void,
  action: 'Send' | 'Save' = 'Send',
) {
  const [isAsking, setAsking] = useState(false);
  const [isDenialShown, setDenialShown] = useState(false);
  const mentions = listMentions(content);
  const isDenied = mentionsGroups(mentions) && conversation?.abilities.mentionEveryone === false;
  // What is written next is not denied before it is sent.
  if (isDenialShown && !isDenied) setDenialShown(false);
  const people = conversation ? countMentionedPeople(conversation, mentions) : { count: 0, names: [] };
  const submit = () => {
    if (isDenied) setDenialShown(true);
    else if (mentionsGroups(mentions) && people.count > MAX_UNCONFIRMED) setAsking(true);
    else onSend();
  };
  return {
    submit,
    confirmation: (
      <Suspense fallback={null}>
        {isDenied && isDenialShown && <MentionDenied />}
        {isAsking && (
          <ConfirmNotify
            mentions={mentions}
            people={people}
            action={action}
            onConfirm={onSend}
            onClose={() => setAsking(false)}
          />
        )}
      </Suspense>
    ),
  };
}
