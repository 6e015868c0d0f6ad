import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { closePoll, votePoll } from '@atrium/proto-events/http/chat/polls';
import { call } from '#lib/api/api.ts';
import { showErrorToast } from '#ui/overlays/toast.ts';
import { responseWriter } from '../log/write-messages.ts';

/** Replaces the user's votes. */
export async function castVotes(message: Message, options: string[]): Promise<void> {
  const write = responseWriter(message);
  try {
    const input = { params: { id: message._id }, body: { options } };
    write(await call<typeof votePoll>('PUT /chat/messages/:id/poll/votes', input));
  } catch (error) {
    showErrorToast(error, 'Failed to save your vote');
  }
}

export async function endPoll(message: Message): Promise<void> {
  const write = responseWriter(message);
  write(await call<typeof closePoll>('POST /chat/messages/:id/poll/close', { params: { id: message._id } }));
}

/** The user's votes after they have pressed an option: in a poll for one option, it replaces the other. */
export function toggledVotes({ options, multiple }: NonNullable<Message['poll']>, id: string): string[] {
  const mine = options.filter((option) => option.mine).map((option) => option.id);
  if (mine.includes(id)) return mine.filter((other) => other !== id);
  return multiple ? [...mine, id] : [id];
}
