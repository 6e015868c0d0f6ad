import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { MAX_RECORDING_MS } from '#entities/message/voice-note.ts';
import { blockUnload } from '#lib/forms/unsaved-changes.ts';
import { loadChunk } from '#lib/lazy.ts';
import { createOwnerCheck } from '#lib/session/session.ts';
import type { Recording } from './record-sound.ts';

/** A press that is longer records while it lasts; a shorter one until the next press. */
const HOLD_MS = 500;

type State = { phase: 'idle' | 'starting' } | { phase: 'recording'; recording: Recording; isSameOwner: () => boolean };

const NOT_LOADED = 'Check your connection, then try again.';

/**
 * Records a voice note. `onRecorded` receives the file, also if the user goes elsewhere while recording. `onFailure`
 * receives a message for the user.
 */
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
    if (state.phase !== 'recording') return;
    setState({ phase: 'idle' });
    const file = await state.recording.stop();
    if (state.isSameOwner()) onRecorded(file);
  };
  const start = async () => {
    request.current += 1;
    const own = request.current;
    setState({ phase: 'starting' });
    const isSameOwner = createOwnerCheck();
    const fail = (message: string) => {
      if (own !== request.current) return;
      setState({ phase: 'idle' });
      onFailure(message);
    };
    const recorder = await loadChunk(() => import('./record-sound.ts')).catch(() => undefined);
    if (!recorder) return fail(NOT_LOADED);
    try {
      const started = await recorder.startRecording();
      // Canceled while the browser asked for the permission.
      if (own !== request.current) return started.cancel();
      setState({ phase: 'recording', recording: started, isSameOwner });
    } catch (error) {
      fail(recorder.recordingFailure(error));
    }
  };
  useEnd(recording, () => void stop());
  useEffect(() => {
    return recording && blockUnload();
  }, [recording]);
  const leave = useEffectEvent(() => {
    if (state.phase === 'recording' && state.isSameOwner()) void stop();
    else cancel();
  });
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
      // Nothing is recorded unnoticed when the permission is granted later.
      if (isHeld && state.phase === 'starting') cancel();
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
