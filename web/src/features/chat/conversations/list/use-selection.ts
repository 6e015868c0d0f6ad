import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { CONVERSATION, MESSAGE, REPLY, THREAD } from '#entities/message/message-path.ts';
import { navigateUnblocked } from '#lib/forms/unsaved-changes.ts';
import { isOpenedHere } from '#lib/hooks/use-overlay-history.ts';

/** URL parameter used instead of `CONVERSATION`: the filter of the Threads view. */
export const THREADS = 'threads';
/** URL parameter used instead of `CONVERSATION`: the drafts or the scheduled messages. */
export const LATER = 'later';
export type LaterView = 'drafts' | 'scheduled';
/** URL parameter: the query of the search of messages, empty when it has just been opened. */
export const SEARCH = 'q';
/** URL parameter used instead of `CONVERSATION`: the user whose direct conversation to open. */
export const USER = 'with';

/** On small screens the panes are shown one at a time, so nothing is opened automatically. */
export const isSinglePane = () => window.matchMedia('(max-width: 639px)').matches;

/** Keeps the selection in the URL. A wide screen opens the first conversation on its first load. */
export function useSelection(firstId: string | undefined) {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const [isFirstLoad, setFirstLoad] = useState(true);
  const selected = params.get(CONVERSATION);
  // If the addressed direct conversation cannot be opened, no other is selected instead.
  if (isFirstLoad && params.has(USER)) setFirstLoad(false);
  const go = (id: string | null, replace: boolean) => {
    setFirstLoad(false);
    setParams((before) => withSelected(before, id), { replace });
  };
  const isDue =
    isFirstLoad &&
    selected === null &&
    !params.has(THREADS) &&
    !params.has(LATER) &&
    !params.has(SEARCH) &&
    firstId !== undefined;
  useEffect(() => {
    if (!isDue || isSinglePane()) return;
    setParams({ [CONVERSATION]: firstId }, { replace: true });
  }, [isDue, firstId, setParams]);
  return {
    selected,
    select: (id: string) => go(id, false),
    /** Returns to the list on small screens: opening pushed a history entry, so closing goes back. */
    leave: () => {
      setFirstLoad(false);
      if (isOpenedHere(state)) navigateUnblocked(() => void navigate(-1));
      else go(null, true);
    },
    clear: () => go(null, true),
  };
}

/** The open view of what is written or sent later; null while it is closed. */
export function useLaterView(): LaterView | null {
  const view = useSearchParams()[0].get(LATER);
  return view === 'drafts' || view === 'scheduled' ? view : null;
}

function withSelected(before: URLSearchParams, id: string | null): URLSearchParams {
  const next = new URLSearchParams(before);
  for (const name of [MESSAGE, USER, THREAD, REPLY, THREADS, LATER, SEARCH]) next.delete(name);
  if (id === null) next.delete(CONVERSATION);
  else next.set(CONVERSATION, id);
  return next;
}
