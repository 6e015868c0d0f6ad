import { showError } from '#ui/overlays/toast.ts';

const TIMEOUT_MS = 10_000;

export async function downloadFile(url: string | undefined): Promise<void> {
  if (url) return startDownload(url);
  const message = 'Download URL not available. File storage may not be configured.';
  showError('Download URL not available', message);
}

/**
 * The browser streams the file to disk. One byte is requested first, because a failing download is not
 * reported to the page.
 */
async function startDownload(url: string): Promise<void> {
  const isOwnHost = new URL(url, window.location.origin).origin === window.location.origin;
  if (isOwnHost) {
    const options = { headers: { range: 'bytes=0-0' }, signal: AbortSignal.timeout(TIMEOUT_MS) };
    const probe = await fetch(url, options).catch(() => undefined);
    await probe?.body?.cancel();
    if (!probe?.ok) throw new Error('Failed to download file from storage');
  }
  const link = window.document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}
