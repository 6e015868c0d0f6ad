import { afterEach, expect, it } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { currentToast } from '#ui/overlays/toast.ts';
import { NO_DETAILS } from './upload-details.tsx';
import { useUploads } from './use-uploads.ts';

let stop: () => Promise<void> = async () => undefined;
afterEach(() => stop());

it('useUploads reports the message of the server if an upload fails', async () => {
  act(() => signInAs(buildUser('a')));
  ({ stop } = await startApi(() => ({ status: 500, body: { message: 'The store is full' } })));
  const { result } = renderHook(useUploads, withQueryCache);
  const file = new File([new Uint8Array(8 * 1024 * 1024 + 1)], 'film.bin');
  act(() => result.current.add([file], NO_DETAILS));
  await waitFor(() => {
    // Ends the wait before the next attempt.
    window.dispatchEvent(new Event('online'));
    expect(result.current.uploads).toMatchObject([{ error: 'The store is full' }]);
  });
  expect(currentToast()).toMatchObject({ title: 'Failed to upload files', description: 'The store is full' });
  act(dismissToasts);
});
