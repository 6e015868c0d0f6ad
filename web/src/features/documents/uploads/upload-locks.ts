import { useId } from 'react';
import useSWR from 'swr';
import { deviceStorage } from '#lib/storage.ts';

const POLL_INTERVAL_MS = 2_000;

/** Uploads started by this browser, latest first; the limit is that of unfinished uploads per user. */
const SENT_HERE = 'atrium:uploads';
const MAX_UPLOADS = 100;
const sentHere = () => deviceStorage.read(SENT_HERE)?.split(',') ?? [];

/** Whether a tab of this browser uploaded parts of it; if so, the lock shows whether one still does. */
export const wasSentHere = (uploadId: string): boolean => sentHere().includes(uploadId);

const lockOf = (uploadId: string) => `upload:${uploadId}`;

/** Shows other tabs that an upload is running. The browser releases the lock with the tab; plain HTTP has no Web Locks. */
export function holdUpload(uploadId: string): () => void {
  const others = sentHere().filter((id) => id !== uploadId);
  deviceStorage.write(SENT_HERE, [uploadId, ...others].slice(0, MAX_UPLOADS).join());
  const { promise, resolve } = Promise.withResolvers<void>();
  // Shared, so that tabs never wait for each other.
  navigator.locks?.request(lockOf(uploadId), { mode: 'shared' }, () => promise).catch(() => undefined);
  return resolve;
}

/** The uploads that no tab is sending. Polled, because browsers do not report lock changes. */
export function useInterruptedUploads(ids: readonly string[]): readonly string[] {
  const poll = useId();
  const key = ids.length > 0 ? `uploads-left ${poll} ${ids.join()}` : null;
  const { data = [] } = useSWR(key, () => withoutHeld(ids), { refreshInterval: POLL_INTERVAL_MS });
  return data;
}

async function withoutHeld(ids: readonly string[]): Promise<readonly string[]> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const names = held.map(({ name }) => name);
  return ids.filter((id) => !names.includes(lockOf(id)));
}
