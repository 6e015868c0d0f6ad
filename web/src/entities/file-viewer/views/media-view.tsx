import { type SyntheticEvent, useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { theme } from '../../../ui/theme.ts';
import { NO_PREVIEW, type ViewProps } from '../viewed-file.ts';
import { Middle } from '../viewer-canvas.ts';
import { viewerKind } from '../viewer-kind.ts';

/** Sound or film; the browser asks for the parts that it plays. When the link has run out, or the network failed, it goes on from where it was. */
export function MediaView({ file, url, renew, onFailure }: ViewProps) {
  const place = useRef({ time: 0, isPlaying: false, began: 0, renewed: Number.NEGATIVE_INFINITY });
  useEffect(() => {
    place.current.began = performance.now();
  }, []);
  const shared = {
    src: url,
    controls: true,
    preload: 'metadata',
    'aria-label': file.name,
    onTimeUpdate: ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => {
      place.current.time = currentTarget.currentTime;
      place.current.isPlaying = !currentTarget.paused;
    },
    onLoadedMetadata: ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => {
      if (place.current.time === 0) return;
      currentTarget.currentTime = place.current.time;
      if (place.current.isPlaying) void currentTarget.play();
    },
    onError: ({ currentTarget: player }: SyntheticEvent<HTMLMediaElement>) => {
      const now = performance.now();
      const { began, renewed } = place.current;
      // A link that has run out is no file to a player, either.
      const isOfFile = OF_THE_FILE.includes(player.error?.code ?? 0) && now - began < LINK_LIVES_MS;
      if (isOfFile) return onFailure('This browser cannot play this file');
      if (now - renewed < AGAIN_MS) return onFailure(NO_PREVIEW);
      Object.assign(place.current, { began: now, renewed: now });
      renew().then(
        // The same link makes a player do nothing.
        (link) => link === url && player.load(),
        () => onFailure(NO_PREVIEW),
      );
    },
  };
  return <Middle>{viewerKind(file) === 'video' ? <Film {...shared} playsInline /> : <Sound {...shared} />}</Middle>;
}

/** What fails sooner fails for another reason. */
const LINK_LIVES_MS = 3 * 60_000;
/** What fails so soon after another link was had would fail by any. */
const AGAIN_MS = 10_000;
/** It cannot be decoded, or is of no kind that the browser plays (HTML, `MediaError`). */
const OF_THE_FILE: readonly number[] = [3, 4];

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
