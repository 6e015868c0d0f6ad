import type { getAttachmentPreview } from '@atrium/proto-events/http/chat/attachments';
import { type RefObject, useRef, useState } from 'react';
import { call } from '#lib/api/api.ts';

/** A file without a duration reports it once a time beyond its end is sought. */
const BEYOND_THE_END = 1e9;

const CANNOT_PLAY = 'This browser cannot play this file';
const CANNOT_LOAD = 'The sound could not be loaded. Check your connection, then try again.';

type Playback = { isPlaying: boolean; isLoading: boolean; time: number; duration: number | undefined; failure: string };

const AT_START: Playback = { isPlaying: false, isLoading: false, time: 0, duration: undefined, failure: '' };

/** Only one player plays at a time. */
let playing: HTMLAudioElement | undefined;

/** Plays an attachment. Its link is requested by the first play, and again once it has expired. */
export function usePlayer(id: string, rate: number) {
  const audio = useRef<HTMLAudioElement>(null);
  /** Seeks while it loads wait for the same load. */
  const loading = useRef<Promise<void>>(undefined);
  const [playback, setPlayback] = useState<Playback>(AT_START);
  const change = (changes: Partial<Playback>) => setPlayback((before) => ({ ...before, ...changes }));
  const withLoaded = async (use: (player: HTMLAudioElement) => unknown) => {
    const player = audio.current;
    if (!player) return;
    change({ isLoading: true, failure: '' });
    try {
      if (!player.src || player.error) loading.current ??= load(player, id, playback.time);
      await loading.current;
      // The message was left meanwhile: nothing could stop the sound.
      if (audio.current !== player) return;
      change({ duration: player.duration });
      await use(player);
    } catch (error) {
      // A pause that interrupts a play is no failure.
      const isInterrupted = error instanceof DOMException && error.name === 'AbortError';
      if (!isInterrupted) change({ failure: isUnsupported(player) ? CANNOT_PLAY : CANNOT_LOAD });
    } finally {
      loading.current = undefined;
      change({ isLoading: false });
    }
  };
  const play = (player: HTMLAudioElement) => {
    if (playing !== player) playing?.pause();
    playing = player;
    player.playbackRate = rate;
    return player.play();
  };
  return {
    playback,
    toggle: () => (playback.isPlaying ? audio.current?.pause() : void withLoaded(play)),
    seek: (time: number) => {
      change({ time });
      void withLoaded((player) => {
        player.currentTime = time;
      });
    },
    setRate: (next: number) => {
      if (audio.current) audio.current.playbackRate = next;
    },
    audioProps: {
      ref: audio,
      preload: 'none' as const,
      ...listeners(audio, () => loading.current !== undefined, change),
    },
  };
}

/** Decode error or unsupported source (HTML, `MediaError`). The link is new, so that it has not expired. */
const isUnsupported = ({ error }: HTMLAudioElement) => error !== null && error.code >= MediaError.MEDIA_ERR_DECODE;

/** Continues at the time where an earlier link expired. */
async function load(player: HTMLAudioElement, id: string, time: number): Promise<void> {
  const { url } = await call<typeof getAttachmentPreview>('GET /chat/attachments/:id/preview', { params: { id } });
  if (url === undefined) throw new Error(CANNOT_LOAD);
  player.src = url;
  await whenReady(player);
  player.currentTime = time;
}

type Change = (changes: Partial<Playback>) => void;

/** While the duration is looked for, the position is not that of the user. */
function listeners(audio: RefObject<HTMLAudioElement | null>, isLoading: () => boolean, change: Change) {
  return {
    onPlay: () => change({ isPlaying: true }),
    onPause: () => change({ isPlaying: false }),
    onTimeUpdate: () => {
      if (!isLoading()) change({ time: audio.current?.currentTime ?? 0 });
    },
  };
}

/** Resolves once the duration is known. */
async function whenReady(player: HTMLAudioElement): Promise<void> {
  player.load();
  await once(player, 'loadedmetadata');
  if (Number.isFinite(player.duration)) return;
  player.currentTime = BEYOND_THE_END;
  while (!Number.isFinite(player.duration)) await once(player, 'durationchange');
  player.currentTime = 0;
}

function once(player: HTMLAudioElement, event: 'loadedmetadata' | 'durationchange'): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = new AbortController();
    const settle = (then: () => void) => () => {
      ended.abort();
      then();
    };
    player.addEventListener(event, settle(resolve), { signal: ended.signal });
    player.addEventListener(
      'error',
      settle(() => reject(player.error ?? new Error(CANNOT_LOAD))),
      { signal: ended.signal },
    );
  });
}
