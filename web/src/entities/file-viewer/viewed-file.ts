import type { Preview, ThumbnailErrorReason } from '@atrium/proto-events/http/previews';
import { useId } from 'react';
import useSWR from 'swr';

/** `size` is in bytes; `mimetype` is detected from the content. */
export type ViewedFile = {
  /** Changes with the file's content. */
  key: string;
  name: string;
  mimetype: string;
  size: number;
  /** Fetches a new preview link each time, because links expire. */
  getLink: () => Promise<Preview>;
  /** Absent if the file is no longer in storage. */
  onDownload?: (() => void) | undefined;
  onSave?: (() => void) | undefined;
};

export type ViewProps = {
  file: ViewedFile;
  url: string;
  /** Rejects if the file no longer exists. */
  renew: () => Promise<string>;
  onFailure: (message: string) => void;
};

export const THUMBNAIL_ERRORS: Record<ThumbnailErrorReason, string> = {
  'too-large': 'This image is too large to preview',
  damaged: 'This image is damaged',
};

export const NO_PREVIEW = 'Failed to load the preview';

const PENDING_MS = 1_000;

/** Revalidation would restart a playing video. */
export const ONCE = { revalidateOnFocus: false, revalidateOnReconnect: false, keepPreviousData: false } as const;

export function useFileLink(file: ViewedFile) {
  const viewId = useId();
  const query = useSWR<Preview, Error>(`file-link ${viewId} ${file.key}`, file.getLink, {
    ...ONCE,
    refreshInterval: (link) => (link?.state === 'pending' ? PENDING_MS : 0),
  });
  const renew = async () => {
    const link = await query.mutate();
    if (link?.url === undefined) throw new Error(NO_PREVIEW);
    return link.url;
  };
  return { ...query, renew };
}
