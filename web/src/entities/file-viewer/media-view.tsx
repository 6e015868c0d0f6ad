import { type SyntheticEvent, useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { theme } from '#ui/theme.ts';
import { NO_PREVIEW, type ViewProps } from './viewed-file.ts';
import { CenteredCanvas } from './viewer-canvas.tsx';
import { viewerKind } from './viewer-kind.ts';

/** Resumes playback at the same position after an expired link or a network failure. */
export function MediaView({ file, url, renew, onFailure }: ViewProps) {
  const playback = useRef({ time: 0, isPlaying: false, startedAt: 0, renewedAt: Number.NEGATIVE_INFINITY });
  useEffect(() => {
    playback.current.startedAt = performance.now();
  }, []);
  const shared = {
    src: url,
    controls: true,
    preload: 'metadata',
    'aria-label': file.name,
    onTimeUpdate: ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => {
      playback.current.time = currentTarget.currentTime;
      playback.current.isPlaying = !currentTarget.paused;
    },
    onLoadedMetadata: ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => {
      if (playback.current.time === 0) return;
      currentTarget.currentTime = playback.current.time;
      if (playback.current.isPlaying) void currentTarget.play();
    },
    onError: ({ currentTarget: player }: SyntheticEvent<HTMLMediaElement>) => {
      const now = performance.now();
      const { startedAt, renewedAt } = playback.current;
      // A player reports an expired link as an unsupported file.
      const isFileError = FILE_ERROR_CODES.includes(player.error?.code ?? 0) && now - startedAt < LINK_LIFETIME_MS;
      if (isFileError) return onFailure('This browser cannot play this file');
      if (now - renewedAt < MIN_RENEWAL_INTERVAL_MS) return onFailure(NO_PREVIEW);
      Object.assign(playback.current, { startedAt: now, renewedAt: now });
      renew().then(
        // Setting the same link again would not reload the player.
        (link) => link === url && player.load(),
        () => onFailure(NO_PREVIEW),
      );
    },
  };
  return (
    <CenteredCanvas>
      {viewerKind(file) === 'video' ? <Film {...shared} playsInline /> : <Sound {...shared} />}
    </CenteredCanvas>
  );
}

/** A failure sooner than this after loading is not caused by an expired link. */
const LINK_LIFETIME_MS = 3 * 60_000;
/** A failure this soon after a renewal would repeat with any link. */
const MIN_RENEWAL_INTERVAL_MS = 10_000;
/** Decode error or unsupported source (HTML, `MediaError`). */
const FILE_ERROR_CODES: readonly number[] = [3, 4];

const Film = styled.video`
  position: absolute;
  inset: 0;
  width: 100%;
  height: 100%;
  background: #000;
`;

const Sound = styled.audio`
  width: min(480px, calc(100% - 2 * ${theme.space[4]}));
`;
