import { useEffect } from 'react';

/** The tab's name on a screen that is not a `Page`. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Atrium`;
  }, [title]);
}
