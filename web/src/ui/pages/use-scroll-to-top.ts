import { useLayoutEffect, useRef } from 'react';

/** For pagination below a list: scrolls to its top once the other page is rendered. */
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
