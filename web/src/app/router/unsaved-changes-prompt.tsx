import { Suspense, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { type Loss, onLeaveRequest, onUnloadBlocked } from '#lib/forms/unsaved-changes.ts';
import { lazyNamed } from '#lib/lazy.ts';
import type { AppHistory } from './history.ts';

const loadConfirmation = () => import('#ui/overlays/discard-confirmation.tsx');
const DiscardConfirmation = lazyNamed(loadConfirmation, 'DiscardConfirmation');

export function UnsavedChangesPrompt({ history }: { history: AppHistory }) {
  const held = useSyncExternalStore(history.subscribe, history.getHeld);
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
  if (!leaveRequest && !held) return null;
  return (
    <Suspense fallback={null}>
      <DiscardConfirmation
        isOpen
        loss={leaveRequest?.loss}
        onKeep={() => resolve(held?.cancel)}
        onDiscard={() => resolve(leaveRequest?.go ?? held?.proceed)}
      />
    </Suspense>
  );
}
