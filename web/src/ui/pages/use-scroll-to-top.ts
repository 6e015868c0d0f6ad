import { useLayoutEffect, useRef } from 'react';

/** Turns the pages of a list from its end: once the other page is there, its beginning comes into sight. */
export function useScrollToTop<Pager extends HTMLElement>(page: number, onPage: (page: number) => void) {
  const pager = useRef<Pager>(null);
  const turned = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page that was asked for may come much later
  useLayoutEffect(() => {
    const list = turned.current && pager.current?.closest('section, main');
    turned.current = false;
    if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView();
  }, [page]);
  const turn = (next: number) => {
    turned.current = true;
    onPage(next);
  };
  return { pager, turn };
}
