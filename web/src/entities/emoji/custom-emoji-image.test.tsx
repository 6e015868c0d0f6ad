import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { CustomEmojiImage } from './custom-emoji-image.tsx';

let stop: () => Promise<void> = async () => undefined;
let requests: string[] = [];

beforeEach(async () => {
  act(() => signInAs(buildUser('a')));
  requests = [];
  ({ stop } = await startApi(({ path }) => {
    requests.push(path);
    return { status: 200, body: { url: 'http://localhost/new.png' } };
  }));
});

afterEach(async () => {
  cleanup();
  await stop();
});

it('a custom emoji gets one new link, and shows its name if that fails, too', async () => {
  const emoji = { _id: 'e'.repeat(24), name: 'parrot', url: 'http://localhost/old.png' };
  render(<CustomEmojiImage emoji={emoji as Parameters<typeof CustomEmojiImage>[0]['emoji']} />);
  fireEvent.error(screen.getByRole('img'));
  const image = await screen.findByRole('img');
  expect(image.getAttribute('src')).toBe('http://localhost/new.png');
  fireEvent.error(image);
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.getByText(':parrot:')).toBeTruthy();
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(requests).toHaveLength(1);
});
