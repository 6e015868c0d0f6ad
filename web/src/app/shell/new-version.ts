import { useSyncExternalStore } from 'react';
import { NETWORK_MESSAGE } from '../../lib/api/api-error.ts';
import { msSince } from '../../lib/elapsed-ms.ts';
import { isTabHeld } from '../../lib/forms/navigation-blocker.ts';
import { configureChunkLoader } from '../../lib/lazy.ts';
import { createListeners } from '../../lib/listeners.ts';
import { tabStorage } from '../../lib/session/storage.ts';
import { isDisconnected, whenConnected } from '../../realtime/status.ts';
import { showError } from '../../ui/overlays/toast.ts';
import { isEverythingHere } from '../router/loaded-chunks.ts';

const RELOADED_AT = 'atrium:reloaded-at';
const ONCE_IN_MS = 30_000;
const LOOK_EVERY_MS = 5 * 60_000;
const TIMEOUT_MS = 5_000;

let isOffered = false;
let lookedAt = Date.now();
const listeners = createListeners();

/** Notices that another version than this page's has been put in place, and offers to load it; call once at start. */
export function followVersions(): void {
  configureChunkLoader({ isCut, onMissing });
  // The sockets go down with the version before.
  whenConnected(() => void lookForNewVersion());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void lookForNewVersion();
  });
}

/** Asks for the page as it is now, and compares the script that it begins with. */
export async function lookForNewVersion(): Promise<void> {
  if (isOffered || msSince(lookedAt) < LOOK_EVERY_MS) return;
  lookedAt = Date.now();
  const present = ownScript();
  const page = await askForPage();
  if (present && page !== null && !page.includes(present)) offer();
}

export function useIsReloadOffered(): boolean {
  return useSyncExternalStore(listeners.subscribe, () => isOffered);
}

/** The sockets tell first; what has been fetched ahead needs no way. */
async function isCut(isAgain: boolean): Promise<boolean> {
  if (!isDisconnected() || isEverythingHere() || (await askForPage()) !== null) return false;
  if (!isAgain) showError('Error', NETWORK_MESSAGE);
  return true;
}

/** Answers whether to wait for the piece. */
async function onMissing(isAgain: boolean): Promise<boolean> {
  if ((await askForPage()) === null) {
    if (!isAgain) showError('Error', NETWORK_MESSAGE);
    return true;
  }
  // The server is there and the piece is not: it was of a version before this one, or a whole one after it is being put in place.
  const isFirst = msSince(Number(tabStorage.read(RELOADED_AT) ?? 0)) > ONCE_IN_MS;
  // What is kept as a draft survives a reload.
  if (isTabHeld()) offer();
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
  listeners.tell();
}

/** The first script of the page, whose name has the hash of all that it loads; none while developing. */
function ownScript(): string | null {
  return document.querySelector<HTMLScriptElement>('script[src^="/assets/"]')?.getAttribute('src') ?? null;
}

async function askForPage(): Promise<string | null> {
  try {
    const answer = await fetch('/', { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}
