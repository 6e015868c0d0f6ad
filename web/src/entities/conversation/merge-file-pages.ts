import type { ConversationAttachment } from '@atrium/proto-events/http/chat-attachments';

type Listed = Pick<ConversationAttachment, '_id' | 'seq'>;

/**
 * The first page of a conversation's files as it is now, before those that were read earlier. Where the page reaches, it alone says what
 * is there; of the message at its end it may hold a part.
 */
export function joinedFiles<File extends Listed>(first: readonly File[], earlier: readonly File[]): File[] {
  const end = first.at(-1);
  if (!end) return [];
  const known = new Set(first.map(({ _id }) => _id));
  return [...first, ...earlier.filter(({ _id, seq }) => seq <= end.seq && !known.has(_id))];
}
