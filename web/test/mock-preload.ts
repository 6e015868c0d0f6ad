import { afterEach } from '@jest/globals';
import { clearTokens, storeTokens } from '#lib/api/tokens.ts';
import { startApi } from './api-server.ts';

type MockPreloadParams = {
  /** Responses by request path. */
  responses: Record<string, Promise<Response>>;
  /** Bodies that have already arrived, by request path. */
  bodies?: Record<string, unknown>;
  /** The token that the requests were sent with. */
  token?: string;
  /** How long ago the requests were sent. */
  ageMs?: number;
};

let stop: () => Promise<void> = async () => undefined;

afterEach(async () => {
  await stop();
  clearTokens();
  globalThis.preloadedResponses = undefined;
});

/**
 * Signs in with the token `mine` and mocks preloaded requests; the server responds `late`. Returns the paths it
 * receives.
 */
export async function mockPreload({
  responses,
  bodies = {},
  token = 'mine',
  ageMs = 0,
}: MockPreloadParams): Promise<readonly string[]> {
  const requests: string[] = [];
  ({ stop } = await startApi(({ path }) => {
    requests.push(path);
    return { status: 200, body: 'late' };
  }));
  storeTokens({ accessToken: 'mine', refreshToken: 'other' });
  const sentAt = { time: Date.now() - ageMs, ticks: performance.now() - ageMs };
  globalThis.preloadedResponses = { token, ...sentAt, responses, bodies };
  return requests;
}
