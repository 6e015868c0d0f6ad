import { useEffect } from 'react';
import { setScreenTitle } from '#ui/pages/document-title.ts';

export function useTitle(title: string): void {
  useEffect(() => {
    setScreenTitle(title);
  }, [title]);
}
