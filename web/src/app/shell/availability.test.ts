import '../../../test/browser-gaps.ts';
import { expect, it } from '@jest/globals';
import { renderHook, waitFor } from '@testing-library/react';
import { startApi } from '../../../test/api-server.ts';
import { checkAvailability, useIsBannerShown } from './availability.ts';

it('asks once more when it is to look while an answer is on its way that says that all is well', async () => {
  const first = Promise.withResolvers<void>();
  let asked = 0;
  const { stop } = await startApi(async () => {
    asked += 1;
    if (asked > 1) return { status: 404, body: {} };
    await first.promise;
    return { status: 200, body: { status: 'ok' } };
  });
  try {
    const { result } = renderHook(useIsBannerShown);
    const looks = [checkAvailability(), checkAvailability(), checkAvailability()];
    await waitFor(() => expect(asked).toBe(1));
    first.resolve();
    await looks[0];
    expect(result.current).toBe(false);
    await Promise.all(looks);
    // Once, and three times more before it counts as away.
    expect(asked).toBe(5);
    await waitFor(() => expect(result.current).toBe(true));
  } finally {
    await stop();
  }
}, 20_000);
