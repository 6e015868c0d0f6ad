import type { Poll } from '@atrium/proto-events/http/chat/message-parts';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { useRef, useState } from 'react';
import { castVotes, toggledVotes } from './vote.ts';

/** The poll as the user has voted, and a function for a press on an option. Presses in quick succession are sent in order. */
export function useVotes(message: Message, poll: Poll) {
  const [pending, setPending] = useState<readonly string[] | null>(null);
  const isSending = useRef(false);
  const latest = useRef<string[]>([]);
  const shown = pending
    ? { ...poll, options: poll.options.map((option) => ({ ...option, mine: pending.includes(option.id) })) }
    : poll;
  const send = async () => {
    isSending.current = true;
    for (let sent: string[] | undefined; sent !== latest.current; ) {
      sent = latest.current;
      await castVotes(message, sent);
    }
    isSending.current = false;
    setPending(null);
  };
  return {
    poll: shown,
    toggle(id: string): void {
      latest.current = toggledVotes(shown, id);
      setPending(latest.current);
      if (!isSending.current) void send();
    },
  };
}
