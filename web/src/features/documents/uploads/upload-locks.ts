import type { MAX_UNFINISHED_UPLOADS } from '@atrium/proto-events/http/document-uploads';
import { useId } from 'react';
import useSWR from 'swr';
import { deviceStorage } from '#lib/storage.ts';

const POLL_INTERVAL_MS = 2_000;

/** Stores the ids of uploads that this browser sent, latest first. */
const LOCAL_UPLOADS_KEY = 'atrium:uploads';
const MAX_UPLOADS: typeof MAX_UNFINISHED_UPLOADS = 100;
const readLocalUploadIds = () => deviceStorage.read(LOCAL_UPLOADS_KEY)?.split(',') ?? [];

/** Whether this browser sent parts of the upload. If so, its lock shows whether a tab is still sending. */
export const wasStartedInThisBrowser = (uploadId: string): boolean => readLocalUploadIds().includes(uploadId);

const getLockName = (uploadId: string) => `upload:${uploadId}`;

/** Shows other tabs that an upload is running. The browser releases the lock with the tab; HTTP has no Web Locks. */
export function lockUpload(uploadId: string): () => void {
  const otherIds = readLocalUploadIds().filter((id) => id !== uploadId);
  deviceStorage.write(LOCAL_UPLOADS_KEY, [uploadId, ...otherIds].slice(0, MAX_UPLOADS).join());
  const { promise, resolve } = Promise.withResolvers<void>();
  // The lock is shared, so that tabs never wait for each other.
  navigator.locks?.request(getLockName(uploadId), { mode: 'shared' }, () => promise).catch(() => undefined);
  return resolve;
}

/** Returns the uploads that no tab is sending. Polls, because browsers do not report lock changes. */
export function useInterruptedUploads(ids: readonly string[]): readonly string[] {
  const poll = useId();
  const key = ids.length > 0 ? `uploads-left ${poll} ${ids.join()}` : null;
  const { data = [] } = useSWR(key, () => filterUnlocked(ids), { refreshInterval: POLL_INTERVAL_MS });
  return data;
}

async function filterUnlocked(ids: readonly string[]): Promise<readonly string[]> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const names = held.map(({ name }) => name);
  return ids.filter((id) => !names.includes(getLockName(id)));
}
