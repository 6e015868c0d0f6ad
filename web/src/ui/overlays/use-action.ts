import { useRef, useState } from 'react';
import type { AnnouncedFailure } from '#lib/forms/use-entry-form.ts';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { createOwnerCheck } from '#lib/session/session.ts';
import { showErrorToast } from './toast.ts';

/** Rows can share an action: its first argument identifies a run, which ignores repeated presses until it ends. */
export function useAction<Args extends unknown[]>(
  act: (...args: Args) => Promise<unknown>,
  failure: string,
  failureTitle?: string,
) {
  const runningSubjects = useRef(new Set<Args[0]>());
  const [reason, setReason] = useState<AnnouncedFailure>();
  const [inFlight, setInFlight] = useState<readonly Args[0][]>([]);
  const run = useStableCallback(async (...args: Args) => {
    const [subject] = args;
    if (runningSubjects.current.has(subject)) return;
    const show = () => setInFlight([...runningSubjects.current]);
    runningSubjects.current.add(subject);
    show();
    setReason(undefined);
    const isSameOwner = createOwnerCheck();
    try {
      await act(...args);
    } catch (error) {
      if (isSameOwner()) setReason(showErrorToast(error, failure, failureTitle));
    }
    runningSubjects.current.delete(subject);
    show();
  });
  return { run, inFlight, isBusy: inFlight.length > 0, failure: reason };
}
