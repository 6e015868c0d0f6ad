import type { Preview } from '@atrium/proto-events/preview';
import { useId } from 'react';
import useSWR from 'swr';
import { NO_PREVIEW, type ViewedFile } from './viewed-file.ts';

/** How often a picture that is being made is asked for. */
const PENDING_MS = 1_000;

/** Of what is shown nothing changes by itself, or a film would begin anew. */
export const ONCE = { revalidateOnFocus: false, revalidateOnReconnect: false, keepPreviousData: false } as const;

/** The link that shows a file, asked for once it is looked at: what was had of an earlier look has run out. */
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
