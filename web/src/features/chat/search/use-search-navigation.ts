import type { FoundMessage } from '@atrium/proto-events/http/chat/search';
import type { WithRefs } from '@atrium/proto-events/people-once';
import { useEffect } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { MESSAGE, paramsOf, REPLY, THREAD } from '#entities/message/message-path.ts';
import { isCommandKey } from '#lib/command-key.ts';
import { navigateUnblocked } from '#lib/forms/unsaved-changes.ts';
import { isOpenedHere, OPENED_HERE } from '#lib/hooks/use-overlay-history.ts';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { keyLetter } from '#lib/single-key-shortcuts.ts';
import { SEARCH } from '../conversations/list/use-selection.ts';
import { useFocusAfterSearch } from './use-focus-after-search.ts';

type Found = Pick<WithRefs<FoundMessage>['message'], 'conversation' | 'seq' | 'thread'>;

/** Below this width, the search covers the conversation. */
const isBeside = () => window.matchMedia('(min-width: 1280px)').matches;

/** Ctrl+Shift+F, or ⌘+Shift+F on a Mac. */
export const isSearchShortcut = (event: KeyboardEvent): boolean =>
  event.shiftKey && !event.altKey && isCommandKey(event) && keyLetter(event) === 'f';

/** Keeps the query in the URL, so that Back, reload, and links lead to the same results. */
export function useSearchNavigation() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const query = params.get(SEARCH);
  const { recordOpener } = useFocusAfterSearch(query !== null);
  const show = (next: string | null, options: { replace?: boolean; state?: unknown }) => {
    const changed = new URLSearchParams(params);
    for (const name of [MESSAGE, REPLY, THREAD, SEARCH]) changed.delete(name);
    if (next !== null) changed.set(SEARCH, next);
    setParams(changed, options);
  };
  const open = useStableCallback((initial: string = '') => {
    if (query === null) {
      recordOpener();
      show(initial, { state: OPENED_HERE });
    } else if (initial !== '') show(initial, {});
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isSearchShortcut(event)) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [open]);
  return {
    query,
    open,
    search: (next: string) => next !== query && show(next, { replace: query === '', state }),
    close: () => {
      if (isOpenedHere(state) && query === '') navigateUnblocked(() => void navigate(-1));
      else show(null, { replace: true });
    },
    /** Shows a result in its conversation or thread, next to the results if there is space. */
    jumpTo: ({ conversation, seq, thread }: Found) => {
      const beside = isBeside() && !thread?.root && query !== null ? { [SEARCH]: query } : {};
      setParams({ ...paramsOf({ conversation, seq, root: thread?.root }), ...beside });
    },
  };
}
