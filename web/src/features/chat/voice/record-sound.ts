import { voiceNoteName } from '#entities/message/voice-note.ts';

/** In order of preference: Chromium and Firefox record WebM, Safari MP4. */
const FORMATS = [
  { mimeType: 'audio/webm;codecs=opus', extension: 'weba' },
  { mimeType: 'audio/mp4;codecs=mp4a.40.2', extension: 'm4a' },
  { mimeType: 'audio/mp4', extension: 'm4a' },
] as const;

/** Speech is clear at 32 kbit/s with Opus; ten minutes are 2.4 MB. */
const BITS_PER_SECOND = 32_000;

export type Recording = {
  startedAt: number;
  /** Returns the loudness since the last call, from 0 to 1. */
  readLevel: () => number;
  /** Ends the recording, and returns it as a file. */
  stop: () => Promise<File>;
  cancel: () => void;
  /** Called if the microphone is disconnected. */
  onEnded: (listener: () => void) => void;
};

const NO_RECORDING = 'This browser cannot record sound';
const FAILURES: Readonly<Record<string, string>> = {
  NotAllowedError:
    'Atrium is not allowed to use the microphone. Allow it in the settings of your browser, then try again.',
  NotFoundError: 'No microphone was found. Connect one, then try again.',
  NotReadableError: 'Another app is using the microphone. Close it, then try again.',
};

/** Says why a recording failed to start, and what to do. */
export const recordingFailure = (error: unknown): string =>
  (error instanceof Error && (FAILURES[error.name] ?? error.message)) || NO_RECORDING;

/** Asks for the microphone if necessary. Rejects with an error for `recordingFailure`. */
export async function startRecording(): Promise<Recording> {
  const format = FORMATS.find(({ mimeType }) => globalThis.MediaRecorder?.isTypeSupported(mimeType));
  // Without a secure context, browsers have no media devices.
  if (!format || !navigator.mediaDevices) throw new Error(NO_RECORDING);
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  try {
    return record(stream, format);
  } catch (error) {
    stopTracks(stream);
    throw error;
  }
}

const stopTracks = (stream: MediaStream): void => {
  for (const track of stream.getTracks()) track.stop();
};

function record(stream: MediaStream, format: (typeof FORMATS)[number]): Recording {
  const recorder = new MediaRecorder(stream, { mimeType: format.mimeType, audioBitsPerSecond: BITS_PER_SECOND });
  const meter = createMeter(stream);
  const chunks: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => chunks.push(data));
  const startedAt = performance.now();
  recorder.start();
  const release = () => {
    meter.close();
    stopTracks(stream);
  };
  return {
    startedAt,
    readLevel: meter.read,
    onEnded: (listener) => stream.getAudioTracks()[0]?.addEventListener('ended', listener),
    async stop() {
      const durationMs = performance.now() - startedAt;
      await stopRecorder(recorder);
      release();
      return new File(chunks, voiceNoteName(durationMs, format.extension), { type: recorder.mimeType });
    },
    cancel() {
      if (recorder.state !== 'inactive') recorder.stop();
      release();
    },
  };
}

function stopRecorder(recorder: MediaRecorder): Promise<void> {
  if (recorder.state === 'inactive') return Promise.resolve();
  return new Promise((resolve) => {
    recorder.addEventListener('stop', () => resolve(), { once: true });
    recorder.stop();
  });
}

function createMeter(stream: MediaStream): { read: () => number; close: () => void } {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    read() {
      analyser.getFloatTimeDomainData(samples);
      return Math.min(1, Math.max(...samples.map(Math.abs)) * 1.5);
    },
    close: () => void context.close(),
  };
}
