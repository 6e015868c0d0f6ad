import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { getSetup } from '@atrium/proto-events/http/auth';
import { useEffect, useState } from 'react';
import { call } from '#lib/api/api.ts';

type Setup = Pick<ResponseOf<typeof getSetup>, 'setupRequired' | 'setupTokenRequired'>;

/** The server may start after the browser; a later response may then replace sign-in with setup. */
const RETRY_MS = [1_000, 2_000, 3_000, 10_000];
const NOT_REQUIRED: Setup = { setupRequired: false, setupTokenRequired: false };

/** Returns null until the server responds. If it does not respond, the sign-in form is shown. */
export function useSetup(): Setup | null {
  const [setup, setSetup] = useState<Setup | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    const fetchSetup = async (failures: number) => {
      try {
        setSetup(await call<typeof getSetup>('GET /auth/setup', {}, { isAnonymous: true, signal: controller.signal }));
      } catch {
        if (controller.signal.aborted) return;
        setSetup(NOT_REQUIRED);
        retryTimer = setTimeout(() => void fetchSetup(failures + 1), RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
      }
    };
    void fetchSetup(0);
    return () => {
      controller.abort();
      clearTimeout(retryTimer);
    };
  }, []);
  return setup;
}
