import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

const NAME = 'c';

/** Where the panes stand one after the other, so that nothing is opened by itself. */
const isSmall = () => window.matchMedia('(max-width: 1023px)').matches;

/** Which conversation is open stands in the address. On the first load the first is chosen, where there is room for both panes. */
export function useSelection(first: string | undefined) {
  const [params, setParams] = useSearchParams();
  const [isFresh, setFresh] = useState(true);
  const selected = params.get(NAME);
  const go = (id: string | null, replace: boolean) => {
    setFresh(false);
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (id === null) next.delete(NAME);
        else next.set(NAME, id);
        return next;
      },
      { replace },
    );
  };
  const isDue = isFresh && selected === null && first !== undefined;
  useEffect(() => {
    if (!isDue || isSmall()) return;
    setParams({ [NAME]: first }, { replace: true });
  }, [isDue, first, setParams]);
  return {
    selected,
    select: (id: string) => go(id, false),
    /** To the list, where it stands alone. */
    leave: () => go(null, false),
    /** The open one is gone. */
    clear: () => go(null, true),
  };
}
