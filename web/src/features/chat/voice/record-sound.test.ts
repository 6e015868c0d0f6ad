import { afterEach, expect, it } from '@jest/globals';
import { startRecording } from './record-sound.ts';

const original = Object.getOwnPropertyDescriptor(navigator, 'mediaDevices');

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'MediaRecorder');
  if (original) Object.defineProperty(navigator, 'mediaDevices', original);
  else Reflect.deleteProperty(navigator, 'mediaDevices');
});

it('releases the microphone if the recording fails to start', async () => {
  let stopCount = 0;
  const track = { stop: () => (stopCount += 1) };
  const getUserMedia = async () => ({ getTracks: () => [track], getAudioTracks: () => [track] });
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } });
  class FailingRecorder {
    static isTypeSupported = () => true;
    constructor() {
      throw new Error('No encoder');
    }
  }
  Object.defineProperty(globalThis, 'MediaRecorder', { configurable: true, value: FailingRecorder });
  await expect(startRecording()).rejects.toThrow('No encoder');
  expect(stopCount).toBe(1);
});
