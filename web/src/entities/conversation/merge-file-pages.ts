import type { ConversationAttachment } from '@atrium/proto-events/http/chat-attachments';

type Listed = Pick<ConversationAttachment, '_id' | 'seq'>;

/**
 * Merges the current first page with pages loaded earlier. Within its range the first page is authoritative; it may contain only part of
 * its last message.
 */
export function mergeFilePages<File extends Listed>(first: readonly File[], earlier: readonly File[]): File[] {
  const end = first.at(-1);
  if (!end) return [];
  const known = new Set(first.map(({ _id }) => _id));
  return [...first, ...earlier.filter(({ _id, seq }) => seq <= end.seq && !known.has(_id))];
}
