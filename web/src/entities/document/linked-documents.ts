import { isId } from '../../lib/is-id.ts';

const ADDRESS = /https?:\/\/[^\s<>"']+/gi;
/** How the hub's address names a document that is opened there. */
const NAMES = ['preview', 'share', 'versions', 'edit', 'access', 'downloads'];
const HUB = '/documents';
/** A text that lists more than that is no note to somebody. */
const MOST = 5;

/** The address at which the hub shows a document to whoever may open it. */
export const linkToDocument = (id: string): string => `${location.origin}${HUB}?preview=${id}`;

/** The documents that addresses in a text lead to, each once, by their ids. */
export function namedDocuments(text: string, origin: string = location.origin): string[] {
  const ids = [...text.matchAll(ADDRESS)].flatMap(([address]) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url?.origin !== origin || url.pathname !== HUB) return [];
    return NAMES.flatMap((name) => url.searchParams.get(name)?.match(/^[0-9a-f]+/)?.[0] ?? []).filter(isId);
  });
  return [...new Set(ids)].slice(0, MOST);
}
