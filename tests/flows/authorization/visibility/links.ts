import type { ActorName } from './actors.ts';
import type { Received } from './call-endpoints.ts';

const LINK = /"downloadUrl":"([^"]+)"/g;

/** Opens each link as the user who received it, once per user and file. */
export async function openLinks(received: readonly Received[]): Promise<Received[]> {
  const links = new Map<string, { who: ActorName; url: string }>();
  for (const { who, text } of received)
    for (const [, url = ''] of text.matchAll(LINK)) links.set(`${who} ${new URL(url).pathname}`, { who, url });
  return Promise.all([...links.values()].map(({ who, url }) => open(who, url)));
}

/** Tries to open files by forged links: without a signature, with that of another file, or with a changed expiry. */
export async function forgeLinks(received: readonly Received[]): Promise<Received[]> {
  const urls = new Map<string, URL>();
  for (const { text } of received)
    for (const [, link = ''] of text.matchAll(LINK)) urls.set(new URL(link).pathname, new URL(link));
  const validUrls = [...urls.values()];
  const forgedUrls = validUrls.flatMap((url, index) => [
    url.origin + url.pathname,
    url.origin + url.pathname + (validUrls[(index + 1) % validUrls.length]?.search ?? ''),
    withParameter(url, 'X-Amz-Expires', '604800'),
    withParameter(url, 'X-Amz-Date', '20300101T000000Z'),
    url.origin + url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1) + url.search,
  ]);
  return Promise.all(forgedUrls.map((url) => open('anonymous', url)));
}

function withParameter(url: URL, name: string, value: string): string {
  const copy = new URL(url);
  copy.searchParams.set(name, value);
  return copy.href;
}

async function open(who: ActorName, url: string): Promise<Received> {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  return {
    who,
    channel: 'link',
    from: url,
    text: `${[...response.headers].flat().join(' ')} ${await response.text()}`,
  };
}
