import { isId } from '#lib/paths.ts';

const LINK = /https?:\/\/[^\s<>"']+/gi;
const PARAMETERS = ['preview', 'share', 'versions', 'edit', 'access', 'downloads'];
const HUB = '/documents';
/** Limits the requests that one message with many links can cause. */
const MAX_DOCUMENTS = 5;

export const linkToDocument = (id: string): string => `${location.origin}${HUB}?preview=${id}`;

export function findLinkedDocuments(text: string, origin: string = location.origin): string[] {
  const ids = [...text.matchAll(LINK)].flatMap(([address]) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url?.origin !== origin || url.pathname !== HUB) return [];
    return PARAMETERS.flatMap((name) => url.searchParams.get(name)?.match(/^[0-9a-f]+/)?.[0] ?? []).filter(isId);
  });
  return [...new Set(ids)].slice(0, MAX_DOCUMENTS);
}
