import type { getSetup } from '@atrium/proto-events/http/auth';
import { use } from 'react';
import { call } from '../../lib/api.ts';

let asked: Promise<boolean> | null = null;

/** Whether the workspace is still empty and wants its first administrator; suspends while that is asked. Without an answer, people sign in. */
export function useIsSetupRequired(): boolean {
  asked ??= call<typeof getSetup>('GET /auth/setup', {}, { isAnonymous: true }).then(
    (answer) => answer.setupRequired,
    () => false,
  );
  return use(asked);
}

/** The answer changes when the first administrator is there. */
export function forgetSetup(): void {
  asked = null;
}
