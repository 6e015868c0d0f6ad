import type { Message } from '@atrium/proto-events/http/chat/messages';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { MESSAGE, paramsOf, REPLY, THREAD } from '#entities/message/message-path.ts';
import type { ThreadFilter } from '#entities/message/use-threads.ts';
import { navigateUnblocked } from '#lib/forms/unsaved-changes.ts';
import { isOpenedHere, OPENED_HERE } from '#lib/hooks/use-overlay-history.ts';
import { isSinglePane, THREADS } from '../conversations/list/use-selection.ts';

/** Keeps the open thread in the URL: opening pushes a history entry, and closing goes back to the one before. */
export function useThreadNavigation() {
  const [params, setParams] = useSearchParams();
  const { key, state } = useLocation();
  const navigate = useNavigate();
  /** Going back is asynchronous: a second press before it completes would go back twice. */
  const closedAt = useRef<string | null>(null);
  useEffect(() => {
    if (closedAt.current !== key) closedAt.current = null;
  }, [key]);
  const openRoot = params.get(THREAD);
  return {
    openRoot,
    open(root: string): void {
      if (root === openRoot) return;
      setParams(withParams(params, { [THREAD]: root }), openRoot === null ? { state: OPENED_HERE } : {});
    },
    close(): void {
      if (openRoot === null || closedAt.current === key) return;
      closedAt.current = key;
      if (isOpenedHere(state)) navigateUnblocked(() => void navigate(-1));
      else setParams(withParams(params, {}), { replace: true });
    },
    /** Closes a thread that the user can no longer see, without waiting for the history. */
    drop: () => setParams(withParams(params, {}), { replace: true }),
    /** Shows a message in its conversation, or a reply in its thread. */
    show({ conversation, seq, thread }: Message): void {
      setParams(paramsOf({ conversation, seq, root: thread?.root }));
    },
    /** Shows a message in its conversation, next to the thread if there is space. */
    jumpTo({ conversation, seq }: Message): void {
      const thread = isSinglePane() ? {} : { [THREAD]: openRoot ?? '' };
      setParams({ ...paramsOf({ conversation, seq }), ...thread });
    },
  };
}

function withParams(params: URLSearchParams, added: Record<string, string>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of [MESSAGE, REPLY, THREAD]) next.delete(name);
  for (const [name, value] of Object.entries(added)) next.set(name, value);
  return next;
}

/** The filter of the Threads view; null while it is closed. */
export function useThreadFilter(): ThreadFilter | null {
  const filter = useSearchParams()[0].get(THREADS);
  if (filter === null) return null;
  return filter === 'unread' ? 'unread' : 'all';
}
