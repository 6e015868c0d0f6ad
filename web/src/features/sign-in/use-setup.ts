import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { getSetup } from '@atrium/proto-events/http/auth';
import { useEffect, useState } from 'react';
import { call } from '../../lib/api/api.ts';

type Setup = Pick<ResponseOf<typeof getSetup>, 'setupRequired' | 'setupTokenRequired'>;

/** The server may come up after the browser, as at the first start of all; an answer may then turn sign-in into set-up. */
const RETRY_MS = [1_000, 2_000, 3_000, 10_000];
const NOT_REQUIRED: Setup = { setupRequired: false, setupTokenRequired: false };

/** Whether the workspace is still empty and wants its first administrator; null until it is known. Without an answer, people sign in. */
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
