import type { Message } from '@atrium/proto-events/http/chat-messages';
import { showError, showSuccess } from '../../../ui/overlays/toast.ts';
import { CONVERSATION, MESSAGE } from '../place.ts';

/** The address that leads to a message, for those who take part in its conversation. */
export function linkTo({ conversation, seq }: Pick<Message, 'conversation' | 'seq'>): string {
  const search = new URLSearchParams({ [CONVERSATION]: conversation, [MESSAGE]: String(seq) });
  return `${location.origin}/chat?${search}`;
}

export async function copyLink(message: Message): Promise<void> {
  const link = linkTo(message);
  try {
    await navigator.clipboard.writeText(link);
    showSuccess('Link copied');
  } catch {
    // A page that came over plain HTTP has no clipboard.
    showError('The link could not be copied', link);
  }
}
