import { useId } from 'react';
import useSWR from 'swr';
import { deviceStorage } from '../../../lib/session/storage.ts';

const LOOK_AGAIN_MS = 2_000;

/** Of the uploads that this browser has sent something of, the latest first; no more than one person may have unfinished. */
const SENT_HERE = 'atrium:uploads';
const MOST = 100;
const sentHere = () => deviceStorage.read(SENT_HERE)?.split(',') ?? [];

/** Whether some tab of this browser sent something of it: then its locks tell whether one still does. */
export const wasSentHere = (uploadId: string): boolean => sentHere().includes(uploadId);

const lockOf = (uploadId: string) => `upload:${uploadId}`;

/**
 * Shows the other tabs of this browser that an upload is sent here, until the answer is called; with a tab, its locks go. Where there
 * are no Web Locks (plain HTTP), nothing is shown.
 */
export function holdUpload(uploadId: string): () => void {
  const others = sentHere().filter((id) => id !== uploadId);
  deviceStorage.write(SENT_HERE, [uploadId, ...others].slice(0, MOST).join());
  const { promise, resolve } = Promise.withResolvers<void>();
  // Shared: nobody waits for it.
  navigator.locks?.request(lockOf(uploadId), { mode: 'shared' }, () => promise).catch(() => undefined);
  return resolve;
}

/** Those of the uploads that no tab sends. Looked at again and again, for no browser tells of locks. */
export function useUploadsLeft(ids: readonly string[]): readonly string[] {
  const look = useId();
  const key = ids.length > 0 ? `uploads-left ${look} ${ids.join()}` : null;
  const { data = [] } = useSWR(key, () => withoutHeld(ids), { refreshInterval: LOOK_AGAIN_MS });
  return data;
}

async function withoutHeld(ids: readonly string[]): Promise<readonly string[]> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const names = held.map(({ name }) => name);
  return ids.filter((id) => !names.includes(lockOf(id)));
}
