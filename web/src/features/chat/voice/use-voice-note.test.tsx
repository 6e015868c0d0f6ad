import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { isUnloadBlocked } from '#lib/forms/unsaved-changes.ts';
import { configureChunkLoader } from '#lib/lazy.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { useVoiceNote } from './use-voice-note.ts';

const originalDevices = Object.getOwnPropertyDescriptor(navigator, 'mediaDevices');
const online = {
  handleOffline: () => Promise.resolve(false),
  handleMissingChunk: () => Promise.resolve(false),
};

class Recorder extends EventTarget {
  static isTypeSupported = () => true;
  state = 'inactive';
  mimeType = 'audio/webm';
  start = () => (this.state = 'recording');
  stop = () => {
    this.state = 'inactive';
    this.dispatchEvent(new Event('stop'));
  };
}

class Meter {
  createAnalyser = () => ({ fftSize: 0 });
  createMediaStreamSource = () => ({ connect: () => undefined });
  close = () => Promise.resolve();
}

const track = { stop: () => (stopCount += 1), addEventListener: () => undefined };
const stream = { getTracks: () => [track], getAudioTracks: () => [track] };
let stopCount = 0;
let files: File[] = [];
let failures: string[] = [];

beforeEach(() => {
  act(() => signInAs(buildUser('a')));
  stopCount = 0;
  files = [];
  failures = [];
  Object.assign(globalThis, { MediaRecorder: Recorder, AudioContext: Meter });
  Object.defineProperty(navigator, 'mediaDevices', {
    configurable: true,
    value: { getUserMedia: () => Promise.resolve(stream) },
  });
});

afterEach(() => {
  cleanup();
  configureChunkLoader(online);
  Reflect.deleteProperty(globalThis, 'MediaRecorder');
  Reflect.deleteProperty(globalThis, 'AudioContext');
  if (originalDevices) Object.defineProperty(navigator, 'mediaDevices', originalDevices);
  else Reflect.deleteProperty(navigator, 'mediaDevices');
});

const render = () =>
  renderHook(() =>
    useVoiceNote(
      (file) => files.push(file),
      (message) => failures.push(message),
    ),
  );

async function startRecording() {
  const rendered = render();
  act(() => rendered.result.current.press());
  await waitFor(() => expect(rendered.result.current.recording).toBeTruthy());
  return rendered;
}

it('a recording ends and is kept when the user goes to another conversation, and closing the page asks', async () => {
  const { unmount } = await startRecording();
  expect(isUnloadBlocked()).toBe(true);
  unmount();
  await waitFor(() => expect(files).toHaveLength(1));
  expect(isUnloadBlocked()).toBe(false);
  expect(stopCount).toBe(1);
});

it('a recording is not kept for the user who signs in next', async () => {
  const { unmount } = await startRecording();
  act(() => signInAs(buildUser('b')));
  unmount();
  await waitFor(() => expect(stopCount).toBe(1));
  expect(files).toEqual([]);
});

it('recording can be tried again after it failed to load', async () => {
  configureChunkLoader({ ...online, handleOffline: () => Promise.reject(new Error('Not loaded')) });
  const { result } = render();
  act(() => result.current.press());
  await waitFor(() => expect(failures).toEqual(['Check your connection, then try again.']));
  expect(result.current.isBusy).toBe(false);
  configureChunkLoader(online);
  act(() => result.current.press());
  await waitFor(() => expect(result.current.recording).toBeTruthy());
});

it('nothing is recorded when the button was released while the browser asked for the permission', async () => {
  const permission = Promise.withResolvers<typeof stream>();
  let isAsked = false;
  Object.assign(navigator.mediaDevices, {
    getUserMedia: () => {
      isAsked = true;
      return permission.promise;
    },
  });
  const { result } = render();
  const pressedAt = performance.now();
  act(() => result.current.press());
  await waitFor(() => expect(isAsked && performance.now() - pressedAt > 550).toBe(true), { timeout: 5_000 });
  act(() => result.current.release());
  await act(async () => permission.resolve(stream));
  await waitFor(() => expect(stopCount).toBe(1));
  expect(result.current.recording).toBeUndefined();
  expect(files).toEqual([]);
});
