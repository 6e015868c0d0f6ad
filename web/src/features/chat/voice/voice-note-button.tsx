import { Mic, Square } from 'lucide-react';
import { Suspense } from 'react';
import { styled } from 'styled-components';
import { lazyNamed } from '#lib/lazy.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { showError } from '#ui/overlays/toast.ts';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { theme } from '#ui/theme.ts';
import { useVoiceNote } from './use-voice-note.ts';

const RecordingStatus = lazyNamed(() => import('./recording-status.tsx'), 'RecordingStatus');

/** Records while it is held, or from one press to the next, and adds the recording to the message. */
export function VoiceNoteButton({ onRecorded }: { onRecorded: (file: File) => void }) {
  const { recording, isBusy, press, release, cancel } = useVoiceNote(onRecorded, (message) =>
    showError('Failed to record', message),
  );
  const label = recording ? 'Stop recording' : 'Record a voice note';
  return (
    <Voice>
      <Tooltip text={label}>
        <IconButton
          label={label}
          tone={recording ? 'danger' : 'neutral'}
          aria-busy={isBusy || undefined}
          onPressStart={press}
          onPressEnd={release}
        >
          {recording ? <StopIcon /> : <Mic />}
        </IconButton>
      </Tooltip>
      {recording && (
        <Suspense fallback={null}>
          <RecordingStatus recording={recording} onCancel={cancel} />
        </Suspense>
      )}
    </Voice>
  );
}

const Voice = styled.div`
  display: flex;
`;

const StopIcon = styled(Square)`
  fill: ${theme.color.danger};
  color: ${theme.color.danger};
`;
