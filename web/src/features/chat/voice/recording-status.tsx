import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { clockOf, MAX_RECORDING_MS } from '#entities/message/voice-note.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import type { Recording } from './record-sound.ts';

const UPDATE_MS = 100;
/** The time that is left is shown in the last minute. */
const WARNING_SECONDS = 60;

export function RecordingStatus({ recording, onCancel }: { recording: Recording; onCancel: () => void }) {
  const [{ level, seconds }, setShown] = useState({ level: 0, seconds: 0 });
  useEffect(() => {
    const timer = setInterval(() => {
      setShown({ level: recording.readLevel(), seconds: (performance.now() - recording.startedAt) / 1_000 });
    }, UPDATE_MS);
    return () => clearInterval(timer);
  }, [recording]);
  const status = useRef<HTMLDivElement>(null);
  const cancel = () => {
    // The focused button disappears, so focus moves to the one that records.
    status.current?.parentElement?.querySelector('button')?.focus();
    onCancel();
  };
  const left = MAX_RECORDING_MS / 1_000 - seconds;
  return (
    <Status ref={status}>
      <VisuallyHidden role="status">Recording</VisuallyHidden>
      <Level aria-hidden="true">
        <span style={{ transform: `scaleX(${level})` }} />
      </Level>
      <span role="timer" aria-label="Duration">
        {clockOf(seconds)}
      </span>
      {left <= WARNING_SECONDS && <Left>{clockOf(left)} left</Left>}
      <IconButton label="Cancel recording" onPress={cancel}>
        <X />
      </IconButton>
    </Status>
  );
}

const Status = styled.div`
  &&& {
    width: auto;
  }
  ${inlineStyles(2)}
  font: ${theme.text.sm};
  font-variant-numeric: tabular-nums;
  white-space: nowrap;
`;

const Level = styled.span`
  width: 48px;
  height: 4px;
  border-radius: ${theme.radius.full};
  background: ${theme.color.sunken};
  overflow: hidden;
  > span {
    display: block;
    height: 100%;
    background: ${theme.color.danger};
    transform-origin: left;
    transition: transform ${theme.motion.fast};
  }
`;

const Left = styled.span`
  color: ${theme.color.warning};
`;
