import { API_PREFIX, withRefresh } from '#lib/api/api.ts';
import { errorFromResponse, networkError } from '#lib/api/api-error.ts';

const TIMEOUT_MS = 10_000;

export type FileScope = 'this' | 'all';

/** Downloads a meeting or its series as an iCalendar file. */
export async function saveCalendar({ _id, title }: { _id: string; title: string }, scope: FileScope): Promise<void> {
  const text = await withRefresh((token) => readText(`/meetings/${_id}/calendar.ics?scope=${scope}`, token));
  const address = URL.createObjectURL(new Blob([text], { type: 'text/calendar' }));
  const link = window.document.createElement('a');
  link.href = address;
  link.download = `${title.replaceAll(/[^\p{L}\p{N} ._-]/gu, '').trim() || 'meeting'}.ics`;
  link.click();
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(address), TIMEOUT_MS);
}

async function readText(path: string, token: string | null): Promise<string> {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const answer = await fetch(API_PREFIX + path, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {
    throw networkError();
  });
  if (answer.ok) return answer.text();
  throw errorFromResponse(answer.status, await answer.json().catch(() => null), (name) => answer.headers.get(name));
}
