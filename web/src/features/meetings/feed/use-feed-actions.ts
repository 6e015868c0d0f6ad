import type { createFeed, deleteFeed } from '@atrium/proto-events/http/meeting-feed';
import { useUpdateCachedFeed } from '#entities/meeting/use-feed.ts';
import { API_PREFIX, call } from '#lib/api/api.ts';

/** Two URLs of the same feed; calendar apps differ in which scheme they support. */
export type FeedAddresses = { https: string; webcal: string };

export function useFeedActions() {
  const show = useUpdateCachedFeed();
  return {
    /** Replaces an existing feed. Only this response contains the secret. */
    make: async (): Promise<FeedAddresses> => {
      const { feed, token } = await call<typeof createFeed>('POST /meetings/feed', {});
      show(feed);
      const https = `${window.location.origin}${API_PREFIX}/meetings/feed/${token}.ics`;
      return { https, webcal: https.replace(/^https?:/, 'webcal:') };
    },
    end: async (): Promise<void> => {
      await call<typeof deleteFeed>('DELETE /meetings/feed', {});
      show(null);
    },
  };
}
