import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { navigateUnblocked } from '../../../lib/forms/navigation-blocker.ts';
import { isOpenedHere } from '../../../lib/hooks/use-overlay-history.ts';
import { CONVERSATION, MESSAGE, PERSON } from '../chat-params.ts';

/** Where the panes stand one after the other, so that nothing is opened by itself. */
const areApart = () => window.matchMedia('(max-width: 639px)').matches;

/** Which conversation is open stands in the address. On the first load the first is chosen, where there is room for both panes. */
export function useSelection(first: string | undefined) {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const [isFresh, setFresh] = useState(true);
  const selected = params.get(CONVERSATION);
  // Where the conversation with a person cannot be opened, no other takes its place.
  if (isFresh && params.has(PERSON)) setFresh(false);
  const go = (id: string | null, replace: boolean) => {
    setFresh(false);
    setParams((before) => withSelected(before, id), { replace });
  };
  const isDue = isFresh && selected === null && first !== undefined;
  useEffect(() => {
    if (!isDue || areApart()) return;
    setParams({ [CONVERSATION]: first }, { replace: true });
  }, [isDue, first, setParams]);
  return {
    selected,
    select: (id: string) => go(id, false),
    /** To the list, where it stands alone: opening pushed, closing goes back. */
    leave: () => {
      setFresh(false);
      if (isOpenedHere(state)) void navigateUnblocked(() => navigate(-1));
      else go(null, true);
    },
    /** The open one is gone. */
    clear: () => go(null, true),
  };
}

function withSelected(before: URLSearchParams, id: string | null): URLSearchParams {
  const next = new URLSearchParams(before);
  next.delete(MESSAGE);
  next.delete(PERSON);
  if (id === null) next.delete(CONVERSATION);
  else next.set(CONVERSATION, id);
  return next;
}
