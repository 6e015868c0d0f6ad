import { useRef, useState } from 'react';
import type { AnnouncedFailure } from '../../lib/forms/announced-failure.ts';
import { useStableCallback } from '../../lib/hooks/use-stable-callback.ts';
import { showErrorToast } from './show-error-toast.ts';

/**
 * What a press does: `isBusy` until it is done, and a toast says why where it fails, in the server's words or in these.
 * The reason of the last failure is `failure` until the next press, for the screen to show beside what failed.
 * Rows share one: each is told by its first argument, `underWay` are those being done, and the same again waits for its end.
 */
export function useAction<Args extends unknown[]>(
  act: (...args: Args) => Promise<unknown>,
  failure: string,
  failureTitle?: string,
) {
  const started = useRef(new Set<Args[0]>());
  const [reason, setReason] = useState<AnnouncedFailure>();
  const [inFlight, setInFlight] = useState<readonly Args[0][]>([]);
  const run = useStableCallback(async (...args: Args) => {
    const [subject] = args;
    if (started.current.has(subject)) return;
    const show = () => setInFlight([...started.current]);
    started.current.add(subject);
    show();
    setReason(undefined);
    try {
      await act(...args);
    } catch (error) {
      setReason(showErrorToast(error, failure, failureTitle));
    }
    started.current.delete(subject);
    show();
  });
  return { run, inFlight, isBusy: inFlight.length > 0, failure: reason };
}
