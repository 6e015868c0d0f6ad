import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { usePlayer } from './use-player.ts';

let respond: () => void;
let stop: () => Promise<void> = async () => undefined;

beforeEach(async () => {
  act(() => signInAs(buildUser('a')));
  const { promise, resolve } = Promise.withResolvers<void>();
  respond = resolve;
  ({ stop } = await startApi(async () => {
    await promise;
    return { status: 200, body: { url: 'http://localhost/note.weba' } };
  }));
  jest.spyOn(HTMLMediaElement.prototype, 'load').mockImplementation(function (this: HTMLMediaElement) {
    Object.defineProperty(this, 'duration', { value: 5 });
    queueMicrotask(() => this.dispatchEvent(new Event('loadedmetadata')));
  });
  // jsdom rejects the signals of Node.
  jest.spyOn(HTMLMediaElement.prototype, 'addEventListener').mockImplementation(function (
    this: HTMLMediaElement,
    type: string,
    listener: EventListenerOrEventListenerObject | null,
  ) {
    EventTarget.prototype.addEventListener.call(this, type, listener);
  });
  jest.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(async () => undefined);
});

afterEach(async () => {
  cleanup();
  jest.restoreAllMocks();
  await stop();
});

function Player() {
  const { toggle, audioProps } = usePlayer('f'.repeat(24), 1);
  return (
    <>
      <audio {...audioProps} />
      <button type="button" onClick={toggle}>
        Play
      </button>
    </>
  );
}

/** Waits until the sound of a pressed player has loaded. */
async function load(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const audio = document.querySelector('audio');
  audio?.addEventListener('loadedmetadata', () => resolve());
  return act(async () => {
    respond();
    await promise;
    await new Promise((then) => setTimeout(then));
  });
}

it('plays a sound once it has loaded', async () => {
  render(<Player />);
  act(() => screen.getByRole('button', { name: 'Play' }).click());
  await load();
  expect(HTMLMediaElement.prototype.play).toHaveBeenCalledTimes(1);
});

it('plays no sound whose message was left while it loaded', async () => {
  const { unmount } = render(<Player />);
  act(() => screen.getByRole('button', { name: 'Play' }).click());
  const loaded = load();
  unmount();
  await loaded;
  expect(HTMLMediaElement.prototype.play).not.toHaveBeenCalled();
});
