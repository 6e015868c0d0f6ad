import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, waitFor } from '@testing-library/react';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { AttachmentImage } from './attachment-image.tsx';

beforeEach(() => act(() => signInAs(buildUser('a'))));
afterEach(cleanup);

it('a thumbnail that could not be requested is requested again', async () => {
  const image = {
    _id: 'f'.repeat(24),
    name: 'ship.png',
    mimetype: 'image/png',
    size: 10,
    width: 20,
    height: 10,
    url: null,
    fileLost: false,
  };
  const thumbnail = { url: '/ship.webp', expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
  let requests = 0;
  const api = await startApi(() => {
    requests += 1;
    const body = { message: 'Unavailable', code: 'unavailable', requestId: 'r' };
    return requests === 1 ? { status: 503, body } : { status: 200, body: { ...image, thumbnail } };
  });
  const { container } = render(<AttachmentImage image={image as never} onOpen={() => undefined} />);
  await waitFor(() => expect(container.querySelector('img')?.getAttribute('src')).toBe('/ship.webp'), {
    timeout: 5_000,
  });
  expect(requests).toBe(2);
  await act(api.stop);
});
