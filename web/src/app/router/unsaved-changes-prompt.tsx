import { Suspense, useLayoutEffect, useState } from 'react';
import { type BlockerFunction, useBlocker } from 'react-router-dom';
import { isNavigatingUnblocked, isNavigationBlocked, type Loss, onLeaveRequest } from '#lib/forms/unsaved-changes.ts';
import { lazyNamed } from '#lib/lazy.ts';

const DiscardConfirmation = lazyNamed(() => import('#ui/overlays/discard-confirmation.tsx'), 'DiscardConfirmation');

/** Links and code within the page do not ask; Back and Forward do, since they may close an overlay in the query. */
export function UnsavedChangesPrompt() {
  const blocker = useBlocker(isLosing);
  const [end, setEnd] = useState<{ go: () => void; loss: Loss } | null>(null);
  useLayoutEffect(() => {
    return onLeaveRequest((go, loss) => setEnd({ go, loss }));
  }, []);
  const resolve = (go?: () => void) => {
    setEnd(null);
    go?.();
  };
  if (!end && blocker.state !== 'blocked') return null;
  return (
    <Suspense fallback={null}>
      <DiscardConfirmation
        isOpen
        loss={end?.loss}
        onKeep={() => resolve(blocker.reset)}
        onDiscard={() => resolve(end?.go ?? blocker.proceed)}
      />
    </Suspense>
  );
}

const isLosing: BlockerFunction = ({ currentLocation: here, nextLocation: there, historyAction }) => {
  if (!isNavigationBlocked() || isNavigatingUnblocked()) return false;
  if (there.pathname !== here.pathname) return true;
  return historyAction === 'POP' && there.search !== here.search;
};
