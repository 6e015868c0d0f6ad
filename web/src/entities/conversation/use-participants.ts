import type { listMentionGroups, listParticipants, Participant } from '@atrium/proto-events/http/chat/channels';
import { useInfinitePages } from '#lib/query/use-infinite-pages.ts';
import { keyOf, useRead } from '#lib/query/use-read.ts';

const PAGE_SIZE = 50;

/** Lists the participants of a conversation whose names match. */
export function useParticipants({ id, search }: { id: string; search: string }, pages: number) {
  const keyOfPage = (page: number) =>
    keyOf<typeof listParticipants>('GET /chat/conversations/:id/participants', {
      params: { id },
      query: { limit: PAGE_SIZE, ...(search && { search }), page },
    });
  return useInfinitePages<Participant>(keyOfPage, pages);
}

/** Lists departments and projects that a message in a conversation can mention. */
export function useMentionGroups(id: string | null, search: string) {
  return useRead<typeof listMentionGroups>(
    'GET /chat/conversations/:id/mention-groups',
    id === null ? null : { params: { id }, query: { search } },
  );
}
