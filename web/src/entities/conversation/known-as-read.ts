import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Cache } from 'swr';

type Listed = Pick<Conversation, '_id' | 'lastReadSeq'>;

/** Whether every list that holds a conversation has it as read up to there; not where none does. */
export function isKnownAsRead(cache: Cache, conversation: string, seq: number): boolean {
  const found = [...cache.keys()]
    .filter((key) => key.startsWith('/chat/conversations?'))
    // The keys below that path hold lists of conversations, which the service has parsed by the contract.
    .flatMap((key) => (cache.get(key)?.data as { data: Listed[] } | undefined)?.data ?? [])
    .filter(({ _id }) => _id === conversation);
  return found.length > 0 && found.every(({ lastReadSeq }) => lastReadSeq >= seq);
}
