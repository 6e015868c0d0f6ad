import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { getSetup } from '@atrium/proto-events/http/auth';
import { useEffect, useState } from 'react';
import { call } from '#lib/api/api.ts';

type Setup = Pick<ResponseOf<typeof getSetup>, 'setupRequired' | 'setupTokenRequired'>;

/** The server may start after the browser; a later response may then replace sign-in with setup. */
const RETRY_MS = [1_000, 2_000, 3_000, 10_000];
const NOT_REQUIRED: Setup = { setupRequired: false, setupTokenRequired: false };

/** Null until known. Without a response, the sign-in form is shown. */
export function useSetup(): Setup | null {
  const [setup, setSetup] = useState<Setup | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    let nextTry: ReturnType<typeof setTimeout> | undefined;
    const ask = async (failures: number) => {
      try {
        setSetup(await call<typeof getSetup>('GET /auth/setup', {}, { isAnonymous: true, signal: leaving.signal }));
      } catch {
        if (leaving.signal.aborted) return;
        setSetup(NOT_REQUIRED);
        nextTry = setTimeout(() => void ask(failures + 1), RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
      }
    };
    void ask(0);
    return () => {
      leaving.abort();
      clearTimeout(nextTry);
    };
  }, []);
  return setup;
}
