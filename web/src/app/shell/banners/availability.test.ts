import { expect, it } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import { startApi } from '#test/api-server.ts';
import { checkAvailability, useIsBannerShown } from './availability.ts';

it('checkAvailability checks again after a check in flight that succeeds', async () => {
  const firstResponse = Promise.withResolvers<void>();
  let requestCount = 0;
  const { stop } = await startApi(async () => {
    requestCount += 1;
    if (requestCount > 1) return { status: 404, body: {} };
    await firstResponse.promise;
    return { status: 200, body: { status: 'ok' } };
  });
  try {
    const { result } = renderHook(useIsBannerShown);
    const checks = [checkAvailability(), checkAvailability(), checkAvailability()];
    await waitFor(() => expect(requestCount).toBe(1));
    firstResponse.resolve();
    await checks[0];
    expect(result.current).toBe(false);
    await act(() => Promise.all(checks));
    // After the first request, one check and three retries follow.
    expect(requestCount).toBe(5);
    await waitFor(() => expect(result.current).toBe(true));
  } finally {
    await stop();
  }
});
