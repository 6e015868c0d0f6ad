import type { Channel, listChannels } from '@atrium/proto-events/http/chat/channels';
import { useInfinitePages } from '#lib/query/use-infinite-pages.ts';
import { keyOf } from '#lib/query/use-read.ts';

const PAGE_SIZE = 50;

/** Lists public channels. */
export function useChannels({ search, archived }: { search: string; archived: boolean }, pages: number) {
  const keyOfPage = (page: number) =>
    keyOf<typeof listChannels>('GET /chat/channels', {
      query: { limit: PAGE_SIZE, ...(search && { search }), ...(archived && { archived: 'true' }), page },
    });
  return useInfinitePages<Channel>(keyOfPage, pages);
}
