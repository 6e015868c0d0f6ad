import { type SyntheticEvent, useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { theme } from '../../../ui/theme.ts';
import { Middle } from '../stage.ts';
import type { ViewProps } from '../viewed-file.ts';
import { viewerKind } from '../viewer-kind.ts';

/** Sound or film; the browser asks for the parts that it plays. When the link has run out, it goes on by another from where it was. */
export function MediaView({ file, url, renew, onFailure }: ViewProps) {
  const place = useRef({ time: 0, isPlaying: false, began: 0 });
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
    onError: () => {
      const age = performance.now() - place.current.began;
      place.current.began = performance.now();
      const fail = () => onFailure('This browser cannot play the file');
      if (age < LINK_LIVES_MS) fail();
      else renew().catch(fail);
    },
  };
  return <Middle>{viewerKind(file) === 'video' ? <Film {...shared} playsInline /> : <Sound {...shared} />}</Middle>;
}

/** What fails sooner fails for another reason. */
const LINK_LIVES_MS = 3 * 60_000;

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
