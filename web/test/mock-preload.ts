import { afterEach } from '@jest/globals';
import { clearTokens, storeTokens } from '../src/lib/session/tokens.ts';
import { startApi } from './api-server.ts';

type MockPreloadParams = {
  /** What has been asked for early, and what of it has come. */
  answers: Record<string, Promise<Response>>;
  bodies?: Record<string, unknown>;
  /** Who asked for it, and how many milliseconds ago. */
  token?: string;
  ageMs?: number;
};

let stop: () => Promise<void> = async () => undefined;

afterEach(async () => {
  await stop();
  clearTokens();
  globalThis.askedEarly = undefined;
});

/** Somebody with the token `mine`, for whom so much has been asked for early; the server answers `late`. Answers what that is asked. */
export async function mockPreload({ answers, bodies, token = 'mine', ageMs = 0 }: MockPreloadParams): Promise<readonly string[]> {
  const asked: string[] = [];
  ({ stop } = await startApi(({ path }) => {
    asked.push(path);
    return { status: 200, body: 'late' };
  }));
  storeTokens({ accessToken: 'mine', refreshToken: 'other' });
  const moment = { time: Date.now() - ageMs, ticks: performance.now() - ageMs };
  globalThis.askedEarly = { token, ...moment, answers, ...(bodies && { bodies }) };
  return asked;
}
