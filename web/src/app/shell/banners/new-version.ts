import { useSyncExternalStore } from 'react';
import { NETWORK_MESSAGE } from '#lib/api/api-error.ts';
import { elapsedMs } from '#lib/delays.ts';
import { isUnloadBlocked } from '#lib/forms/unsaved-changes.ts';
import { configureChunkLoader } from '#lib/lazy.ts';
import { createListeners } from '#lib/listeners.ts';
import { tabStorage } from '#lib/storage.ts';
import { isDisconnected, onConnected } from '#realtime/connection/status.ts';
import { showError } from '#ui/overlays/toast.ts';
import { areChunksLoaded } from '../loading/loaded-chunks.ts';

const RELOADED_AT_KEY = 'atrium:reloaded-at';
const RELOAD_COOLDOWN_MS = 30_000;
const CHECK_INTERVAL_MS = 5 * 60_000;
const TIMEOUT_MS = 5_000;

let isOffered = false;
let checkedAt = Date.now();
const listeners = createListeners();

export function watchVersions(): void {
  configureChunkLoader({ handleOffline, handleMissingChunk });
  // A deployment disconnects the sockets.
  onConnected(() => void checkForNewVersion());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void checkForNewVersion();
  });
}

async function checkForNewVersion(): Promise<void> {
  if (isOffered || elapsedMs(checkedAt) < CHECK_INTERVAL_MS) return;
  checkedAt = Date.now();
  const entryScript = findEntryScript();
  const page = await fetchPage();
  if (entryScript && page !== null && !page.includes(entryScript)) offerReload();
}

export function useIsReloadOffered(): boolean {
  return useSyncExternalStore(listeners.subscribe, () => isOffered);
}

/** Sockets detect a lost connection first; prefetched chunks need no network. */
async function handleOffline(isRetry: boolean): Promise<boolean> {
  if (!isDisconnected() || areChunksLoaded() || (await fetchPage()) !== null) return false;
  if (!isRetry) showError('Error', NETWORK_MESSAGE);
  return true;
}

async function handleMissingChunk(isRetry: boolean): Promise<boolean> {
  if ((await fetchPage()) === null) {
    if (!isRetry) showError('Error', NETWORK_MESSAGE);
    return true;
  }
  // The server responds but lacks the chunk: it belongs to a different version, or a deployment is in progress.
  const canReload = elapsedMs(Number(tabStorage.read(RELOADED_AT_KEY) ?? 0)) > RELOAD_COOLDOWN_MS;
  // Drafts survive a reload.
  if (isUnloadBlocked()) offerReload();
  else if (canReload) reload();
  else return false;
  return true;
}

function reload(): void {
  tabStorage.write(RELOADED_AT_KEY, String(Date.now()));
  window.location.reload();
}

function offerReload(): void {
  isOffered = true;
  listeners.notify();
}

/** The name of the entry script contains the hash of everything it loads. There is none in development. */
function findEntryScript(): string | null {
  return document.querySelector<HTMLScriptElement>('script[src^="/assets/"]')?.getAttribute('src') ?? null;
}

async function fetchPage(): Promise<string | null> {
  try {
    const response = await fetch('/', { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}
