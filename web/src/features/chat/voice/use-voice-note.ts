import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { MAX_RECORDING_MS } from '#entities/message/voice-note.ts';
import { loadChunk } from '#lib/lazy.ts';
import type { Recording } from './record-sound.ts';

/** A press that is longer records while it lasts; a shorter one until the next press. */
const HOLD_MS = 500;

type State = { phase: 'idle' | 'starting' } | { phase: 'recording'; recording: Recording };

/** Records a voice note. `onRecorded` receives the file, `onFailure` what to tell the user. */
export function useVoiceNote(onRecorded: (file: File) => void, onFailure: (message: string) => void) {
  const [state, setState] = useState<State>({ phase: 'idle' });
  const pressedAt = useRef(0);
  const request = useRef(0);
  const recording = state.phase === 'recording' ? state.recording : undefined;
  const cancel = () => {
    request.current += 1;
    recording?.cancel();
    setState({ phase: 'idle' });
  };
  const stop = async () => {
    if (!recording) return;
    setState({ phase: 'idle' });
    onRecorded(await recording.stop());
  };
  const start = async () => {
    request.current += 1;
    const own = request.current;
    setState({ phase: 'starting' });
    const { startRecording, recordingFailure } = await loadChunk(() => import('./record-sound.ts'));
    try {
      const started = await startRecording();
      // Canceled while the browser asked for the permission.
      if (own !== request.current) return started.cancel();
      setState({ phase: 'recording', recording: started });
    } catch (error) {
      if (own !== request.current) return;
      setState({ phase: 'idle' });
      onFailure(recordingFailure(error));
    }
  };
  useEnd(recording, () => void stop());
  const leave = useEffectEvent(cancel);
  useEffect(() => {
    return () => leave();
  }, []);
  return {
    recording,
    isBusy: state.phase === 'starting',
    cancel,
    press: () => {
      pressedAt.current = performance.now();
      if (recording) void stop();
      else if (state.phase === 'idle') void start();
    },
    release: () => {
      const isHeld = performance.now() - pressedAt.current > HOLD_MS;
      if (isHeld && recording && recording.startedAt >= pressedAt.current) void stop();
    },
  };
}

/** Stops at the maximum duration, and if the microphone is disconnected. */
function useEnd(recording: Recording | undefined, stop: () => void): void {
  const onEnd = useEffectEvent(stop);
  useEffect(() => {
    if (!recording) return undefined;
    const timer = setTimeout(() => onEnd(), MAX_RECORDING_MS);
    recording.onEnded(() => onEnd());
    return () => clearTimeout(timer);
  }, [recording]);
}
