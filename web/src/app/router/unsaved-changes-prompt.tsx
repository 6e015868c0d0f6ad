import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { type BlockerFunction, useBlocker } from 'react-router-dom';
import {
  isNavigatingUnblocked,
  isNavigationBlocked,
  type Loss,
  onLeaveRequest,
  onUnloadBlocked,
} from '#lib/forms/unsaved-changes.ts';
import { lazyNamed } from '#lib/lazy.ts';

const loadConfirmation = () => import('#ui/overlays/discard-confirmation.tsx');
const DiscardConfirmation = lazyNamed(loadConfirmation, 'DiscardConfirmation');

/** Navigation within a page does not prompt, except for Back and Forward, which may close an overlay in the query. */
export function UnsavedChangesPrompt() {
  const blocker = useBlocker(shouldBlock);
  const [leaveRequest, setLeaveRequest] = useState<{ go: () => void; loss: Loss } | null>(null);
  useLayoutEffect(() => {
    return onLeaveRequest((go, loss) => setLeaveRequest({ go, loss }));
  }, []);
  // Loaded with the first change, since the confirmation must not need the network.
  useEffect(() => {
    return onUnloadBlocked(() => void loadConfirmation().catch(() => undefined));
  }, []);
  const resolve = (go?: () => void) => {
    setLeaveRequest(null);
    go?.();
  };
  if (!leaveRequest && blocker.state !== 'blocked') return null;
  return (
    <Suspense fallback={null}>
      <DiscardConfirmation
        isOpen
        loss={leaveRequest?.loss}
        onKeep={() => resolve(blocker.reset)}
        onDiscard={() => resolve(leaveRequest?.go ?? blocker.proceed)}
      />
    </Suspense>
  );
}

const shouldBlock: BlockerFunction = ({ currentLocation, nextLocation, historyAction }) => {
  if (!isNavigationBlocked() || isNavigatingUnblocked()) return false;
  if (nextLocation.pathname !== currentLocation.pathname) return true;
  return historyAction === 'POP' && nextLocation.search !== currentLocation.search;
};
