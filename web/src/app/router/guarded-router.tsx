import { type ReactNode, Suspense, useLayoutEffect, useState } from 'react';
import { UNSAFE_createBrowserHistory as createBrowserHistory, Router } from 'react-router-dom';
import { lazy } from '../../lib/lazy.ts';
import { guardHistory } from './guard-history.ts';

const DiscardQuestion = lazy(() =>
  import('../../ui/overlays/discard-question.tsx').then((module) => ({ default: module.DiscardQuestion })),
);

/**
 * The router of the address bar that asks before a page with unsaved changes is left. React Router's own blocker wants its data
 * router, which weighs 14 KB more than the sign-in page has to spare. The address holds what is typed into a search, and an input
 * whose value comes a transition late loses what is typed meanwhile: so no transitions.
 */
export function GuardedRouter({ children }: { children: ReactNode }) {
  const [guarded] = useState(() => guardHistory(createBrowserHistory({ v5Compat: true })));
  const [place, setPlace] = useState(guarded.place);
  const [leave, setLeave] = useState<(() => void) | null>(null);
  useLayoutEffect(() => {
    return guarded.listen(setPlace, (go) => setLeave(() => go));
  }, [guarded]);
  const discard = () => {
    setLeave(null);
    leave?.();
  };
  return (
    <Router
      location={place.location}
      navigationType={place.action}
      navigator={guarded.navigator}
      useTransitions={false}
    >
      {children}
      {leave && (
        <Suspense fallback={null}>
          <DiscardQuestion isOpen onKeep={() => setLeave(null)} onDiscard={discard} />
        </Suspense>
      )}
    </Router>
  );
}
