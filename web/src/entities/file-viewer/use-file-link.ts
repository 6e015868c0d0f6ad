import type { Preview } from '@atrium/proto-events/http/previews';
import { useId } from 'react';
import useSWR from 'swr';
import { NO_PREVIEW, type ViewedFile } from './viewed-file.ts';

/** Polling interval while an image is being processed. */
const PENDING_MS = 1_000;

/** Revalidation would restart a playing video. */
export const ONCE = { revalidateOnFocus: false, revalidateOnReconnect: false, keepPreviousData: false } as const;

/** A preview link, fetched when the file is opened: an earlier one may have expired. */
export function useFileLink(file: ViewedFile) {
  const look = useId();
  const answer = useSWR<Preview, Error>(`file-link ${look} ${file.key}`, file.getLink, {
    ...ONCE,
    refreshInterval: (link) => (link?.state === 'pending' ? PENDING_MS : 0),
  });
  const renew = async () => {
    const link = await answer.mutate();
    if (link?.url === undefined) throw new Error(NO_PREVIEW);
    return link.url;
  };
  return { ...answer, renew };
}
