import { useEffect } from 'react';
import { setScreenTitle } from '#ui/pages/document-title.ts';

/** The tab title of a screen that is not a `Page`. */
export function useTitle(title: string): void {
  useEffect(() => {
    setScreenTitle(title);
  }, [title]);
}
