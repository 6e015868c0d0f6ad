import useSWR from 'swr';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { useLog } from './message-store.ts';
import { bringUpToDate } from './sync-messages.ts';

/**
 * The messages of the open conversation. Opening it, and every reconnect, which asks again for whatever is on the screen, brings the
 * log up to date; what is known shows at once.
 */
export function useMessages(conversation: string) {
  const log = useLog(conversation);
  const { error, mutate, isValidating } = useSWR<true, ApiError>(
    `/chat/messages?conversation=${conversation}`,
    () => bringUpToDate(conversation),
    { dedupingInterval: 0, revalidateOnMount: true },
  );
  return { log, error: log.isLoaded ? undefined : error, retry: () => void mutate(), isRetrying: isValidating };
}
