import { useRef } from 'react';
import useSWR from 'swr';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { useLog } from './message-store.ts';
import { bringUpToDate } from './sync-messages.ts';

/**
 * The messages of the open conversation. Opening it, and every reconnect, which asks again for whatever is on the screen, brings the
 * log up to date; what is known shows at once. One that is not known yet, or was left long ago, begins at `openAt`, or at its end.
 */
export function useMessages(conversation: string, openAt: number | null) {
  const log = useLog(conversation);
  const isOpened = useRef(false);
  const load = async () => {
    const done = await bringUpToDate(conversation, isOpened.current ? undefined : { at: openAt });
    isOpened.current = true;
    return done;
  };
  const { error, mutate, isValidating } = useSWR<true, ApiError>(`/chat/messages?conversation=${conversation}`, load, {
    dedupingInterval: 0,
    revalidateOnMount: true,
  });
  return { log, error: log.isLoaded ? undefined : error, retry: () => void mutate(), isRetrying: isValidating };
}
