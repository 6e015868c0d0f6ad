const RELOADED_AT = 'atrium:reloaded-at';
const ONCE_IN_MS = 30_000;

/**
 * A tab that was open while a new version was put in place asks for pieces that are no longer there. It loads itself anew, once;
 * if a piece is still missing then, the error screen says so.
 */
export function reloadForNewVersion(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
    if (Date.now() - last < ONCE_IN_MS) return;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    event.preventDefault();
    window.location.reload();
  });
}
