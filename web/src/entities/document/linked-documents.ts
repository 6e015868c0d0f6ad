import { isId } from '../../lib/is-id.ts';

const ADDRESS = /https?:\/\/[^\s<>"']+/gi;
/** The query parameters that open a document in the hub. */
const NAMES = ['preview', 'share', 'versions', 'edit', 'access', 'downloads'];
const HUB = '/documents';
/** A longer list is not a note that shares documents. */
const MOST = 5;

export const linkToDocument = (id: string): string => `${location.origin}${HUB}?preview=${id}`;

/** The ids of the documents linked in a text, without duplicates. */
export function namedDocuments(text: string, origin: string = location.origin): string[] {
  const ids = [...text.matchAll(ADDRESS)].flatMap(([address]) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url?.origin !== origin || url.pathname !== HUB) return [];
    return NAMES.flatMap((name) => url.searchParams.get(name)?.match(/^[0-9a-f]+/)?.[0] ?? []).filter(isId);
  });
  return [...new Set(ids)].slice(0, MOST);
}
