import { useSyncExternalStore } from 'react';
import { NETWORK_MESSAGE } from '../../lib/api/api-error.ts';
import { elapsedMs } from '../../lib/elapsed-ms.ts';
import { isUnloadBlocked } from '../../lib/forms/navigation-blocker.ts';
import { configureChunkLoader } from '../../lib/lazy.ts';
import { createListeners } from '../../lib/listeners.ts';
import { tabStorage } from '../../lib/session/storage.ts';
import { isDisconnected, onConnected } from '../../realtime/status.ts';
import { showError } from '../../ui/overlays/toast.ts';
import { areAllChunksLoaded } from '../router/loaded-chunks.ts';

const RELOADED_AT = 'atrium:reloaded-at';
const RELOAD_COOLDOWN_MS = 30_000;
const CHECK_INTERVAL_MS = 5 * 60_000;
const TIMEOUT_MS = 5_000;

let isOffered = false;
let checkedAt = Date.now();
const listeners = createListeners();

/** Notices that another version than this page's has been put in place, and offers to load it; call once at start. */
export function watchVersions(): void {
  configureChunkLoader({ isOffline, onMissing });
  // The sockets go down with the version before.
  onConnected(() => void checkForNewVersion());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void checkForNewVersion();
  });
}

/** Asks for the page as it is now, and compares the script that it begins with. */
export async function checkForNewVersion(): Promise<void> {
  if (isOffered || elapsedMs(checkedAt) < CHECK_INTERVAL_MS) return;
  checkedAt = Date.now();
  const present = ownScript();
  const page = await fetchPage();
  if (present && page !== null && !page.includes(present)) offer();
}

export function useIsReloadOffered(): boolean {
  return useSyncExternalStore(listeners.subscribe, () => isOffered);
}

/** The sockets tell first; what has been fetched ahead needs no way. */
async function isOffline(isRetry: boolean): Promise<boolean> {
  if (!isDisconnected() || areAllChunksLoaded() || (await fetchPage()) !== null) return false;
  if (!isRetry) showError('Error', NETWORK_MESSAGE);
  return true;
}

/** Answers whether to wait for the piece. */
async function onMissing(isRetry: boolean): Promise<boolean> {
  if ((await fetchPage()) === null) {
    if (!isRetry) showError('Error', NETWORK_MESSAGE);
    return true;
  }
  // The server is there and the piece is not: it was of a version before this one, or a whole one after it is being put in place.
  const isFirst = elapsedMs(Number(tabStorage.read(RELOADED_AT) ?? 0)) > RELOAD_COOLDOWN_MS;
  // What is kept as a draft survives a reload.
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

/** The first script of the page, whose name has the hash of all that it loads; none while developing. */
function ownScript(): string | null {
  return document.querySelector<HTMLScriptElement>('script[src^="/assets/"]')?.getAttribute('src') ?? null;
}

async function fetchPage(): Promise<string | null> {
  try {
    const answer = await fetch('/', { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}
