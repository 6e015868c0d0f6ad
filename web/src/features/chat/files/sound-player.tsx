import type { Attachment } from '@atrium/proto-events/http/chat/attachments';
import { Download, Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { clockOf, parseVoiceNoteName } from '#entities/message/voice-note.ts';
import { useKeepMounted } from '#lib/hooks/keep-mounted.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { bareButton, captionStyles, ellipsis, focusRing, inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { useAttachmentDownload } from './attachment-row.tsx';
import { SeekBar } from './seek-bar.tsx';
import { usePlayer } from './use-player.ts';

const RATES = [1, 1.5, 2] as const;

/** Plays a voice note or another file of sound in its message. */
export function SoundPlayer({ file }: { file: Attachment }) {
  const { _id, name } = file;
  const [rate, setRate] = useState<number>(RATES[0]);
  const { playback, toggle, seek, setRate: applyRate, audioProps } = usePlayer(_id, rate);
  const { run: download, isBusy } = useAttachmentDownload();
  useKeepMounted(_id, playback.isPlaying);
  const noted = parseVoiceNoteName(name);
  const duration = playback.duration ?? noted;
  const title = noted === undefined ? name : 'Voice note';
  const changeRate = () => {
    const next = RATES[(RATES.indexOf(rate as 1) + 1) % RATES.length] ?? 1;
    setRate(next);
    applyRate(next);
  };
  return (
    <Player role="group" aria-label={title}>
      <audio {...audioProps} />
      <PlayButton aria-label={playback.isPlaying ? 'Pause' : 'Play'} aria-busy={playback.isLoading} onPress={toggle}>
        {playback.isPlaying ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
      </PlayButton>
      <Middle>
        <Title dir="auto" title={name}>
          {title}
        </Title>
        <SeekBar time={playback.time} duration={duration} onSeek={seek} />
        {playback.failure && <Failure role="alert">{playback.failure}</Failure>}
      </Middle>
      <Time>{clockOf(playback.time > 0 || duration === undefined ? playback.time : duration)}</Time>
      <Rate onPress={changeRate} aria-label={`Speed ${rate}×`}>
        {rate}×
      </Rate>
      <IconButton label={`Download ${name}`} isDisabled={isBusy} onPress={() => void download(_id)}>
        <Download />
      </IconButton>
    </Player>
  );
}

const Player = styled.div`
  ${inlineStyles(2)}
  min-height: 40px;
`;

const PlayButton = styled(Button)`
  ${bareButton}
  ${focusRing}
  display: grid;
  place-items: center;
  flex: none;
  width: 36px;
  height: 36px;
  padding: 0;
  border-radius: ${theme.radius.full};
  background: ${theme.color.accent};
  color: ${theme.color.surface};
  &[aria-busy='true'] {
    opacity: 0.6;
  }
  svg {
    width: 18px;
    height: 18px;
    fill: currentColor;
  }
`;

const Middle = styled.div`
  flex: 1;
  min-width: 0;
`;

const Title = styled.p`
  ${captionStyles}
  ${ellipsis}
`;

const Failure = styled.p`
  font: ${theme.text.sm};
  color: ${theme.color.danger};
`;

const Time = styled.span`
  ${captionStyles}
  flex: none;
  font-variant-numeric: tabular-nums;
`;

const Rate = styled(Button)`
  ${bareButton}
  ${focusRing}
  flex: none;
  width: 44px;
  height: 32px;
  padding: 0;
  border-radius: ${theme.radius.md};
  font: 500 ${theme.text.sm};
  color: ${theme.color.text2};
  &[data-hovered] {
    background: ${theme.color.hover};
    color: ${theme.color.text};
  }
`;
