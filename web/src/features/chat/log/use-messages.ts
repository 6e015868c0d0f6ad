import { useRef } from 'react';
import useSWR from 'swr';
import type { ApiError } from '#lib/api/api-error.ts';
import { useLog } from './message-store.ts';
import { syncAll } from './sync-messages.ts';

/**
 * The messages of the open conversation, updated on opening and after every reconnect; cached messages are shown immediately. A log that
 * is unknown or stale opens at `openAt`, or at its end.
 */
export function useMessages(conversation: string, openAt: number | null) {
  const log = useLog(conversation);
  const isOpened = useRef(false);
  const load = async () => {
    const done = await syncAll(conversation, isOpened.current ? undefined : { at: openAt });
    isOpened.current = true;
    return done;
  };
  const { error, mutate, isValidating } = useSWR<true, ApiError>(`/chat/messages?conversation=${conversation}`, load, {
    dedupingInterval: 0,
    revalidateOnMount: true,
  });
  return { log, error: log.isLoaded ? undefined : error, retry: () => void mutate(), isRetrying: isValidating };
}
