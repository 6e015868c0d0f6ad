import { useEffect, useState } from 'react';
import { linkOf, newLinkOf } from './links.ts';

type Found = { id: string; url?: string | undefined; tries: number; hasFailed: boolean };

/**
 * A link to show a file by, asked for once it is wanted, and once more where what it led to could not be shown. It stays the same while it
 * is shown, or the browser would load the file anew.
 */
export function useLink(id: string, isWanted: boolean) {
  const [kept, setFound] = useState<Found>({ id, tries: 0, hasFailed: false });
  const found = kept.id === id ? kept : { id, tries: 0, hasFailed: false };
  const { url, tries, hasFailed } = found;
  const isDue = isWanted && url === undefined && !hasFailed;
  useEffect(() => {
    if (!isDue) return;
    let isOver = false;
    const show = (link: string | undefined) => {
      if (!isOver) setFound({ id, url: link, tries, hasFailed: link === undefined });
    };
    (tries === 0 ? linkOf(id) : newLinkOf(id)).then(show, () => show(undefined));
    return () => {
      isOver = true;
    };
  }, [id, isDue, tries]);
  return {
    url,
    hasFailed,
    onError: () => setFound({ id, tries: 1, hasFailed: tries > 0 }),
    retry: () => setFound({ id, tries: 1, hasFailed: false }),
  };
}
