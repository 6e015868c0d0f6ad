import { useSyncExternalStore } from 'react';
import { NETWORK_MESSAGE } from '#lib/api/api-error.ts';
import { elapsedMs } from '#lib/delays.ts';
import { isUnloadBlocked } from '#lib/forms/unsaved-changes.ts';
import { configureChunkLoader } from '#lib/lazy.ts';
import { createListeners } from '#lib/listeners.ts';
import { tabStorage } from '#lib/storage.ts';
import { isDisconnected, onConnected } from '#realtime/status.ts';
import { showError } from '#ui/overlays/toast.ts';
import { areAllChunksLoaded } from '../router/loaded-chunks.ts';

const RELOADED_AT = 'atrium:reloaded-at';
const RELOAD_COOLDOWN_MS = 30_000;
const CHECK_INTERVAL_MS = 5 * 60_000;
const TIMEOUT_MS = 5_000;

let isOffered = false;
let checkedAt = Date.now();
const listeners = createListeners();

export function watchVersions(): void {
  configureChunkLoader({ isOffline, onMissing });
  // A deployment disconnects the sockets.
  onConnected(() => void checkForNewVersion());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void checkForNewVersion();
  });
}

async function checkForNewVersion(): Promise<void> {
  if (isOffered || elapsedMs(checkedAt) < CHECK_INTERVAL_MS) return;
  checkedAt = Date.now();
  const present = ownScript();
  const page = await fetchPage();
  if (present && page !== null && !page.includes(present)) offer();
}

export function useIsReloadOffered(): boolean {
  return useSyncExternalStore(listeners.subscribe, () => isOffered);
}

/** Sockets detect it first; prefetched chunks need no network. */
async function isOffline(isRetry: boolean): Promise<boolean> {
  if (!isDisconnected() || areAllChunksLoaded() || (await fetchPage()) !== null) return false;
  if (!isRetry) showError('Error', NETWORK_MESSAGE);
  return true;
}

async function onMissing(isRetry: boolean): Promise<boolean> {
  if ((await fetchPage()) === null) {
    if (!isRetry) showError('Error', NETWORK_MESSAGE);
    return true;
  }
  // The server responds but lacks the chunk: it belongs to another version, or a deployment is in progress.
  const isFirst = elapsedMs(Number(tabStorage.read(RELOADED_AT) ?? 0)) > RELOAD_COOLDOWN_MS;
  // Drafts survive a reload.
  if (isUnloadBlocked()) offer();
  else if (isFirst) reload();
  else return false;
  return true;
}

function reload(): void {
  tabStorage.write(RELOADED_AT, String(Date.now()));
  window.location.reload();
}

function offer(): void {
  isOffered = true;
  listeners.notify();
}

/** The entry script, whose name contains the hash of all it loads; none in development. */
function ownScript(): string | null {
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
