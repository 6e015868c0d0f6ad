import { CaseSensitive, Paperclip } from 'lucide-react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { styled } from 'styled-components';
import { IconButton } from '#ui/icon-button.tsx';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { theme } from '#ui/theme.ts';
import { PollButton } from '../polls/poll-button.tsx';
import { VoiceNoteButton } from '../voice/voice-note-button.tsx';
import { NARROW } from './composer-layout.ts';
import { EmojiButton } from './emoji-button.tsx';

type Props = {
  /** Where polls can be sent; null in a thread. */
  pollIn: string | null;
  onAttach: (files: readonly File[]) => void;
  onEmoji: (emoji: string) => void;
  /** Whether the formatting is shown where it needs a line of its own. */
  isFormatting: boolean;
  onFormatting: (isFormatting: boolean) => void;
};

/** What can be added to a message, below its text. */
export function ComposerActions({ pollIn, onAttach, onEmoji, isFormatting, onFormatting }: Props) {
  return (
    <Row>
      <Tooltip text="Attach files">
        <FileTrigger allowsMultiple onSelect={(chosen) => onAttach([...(chosen ?? [])])}>
          <IconButton label="Attach files">
            <Paperclip />
          </IconButton>
        </FileTrigger>
      </Tooltip>
      <VoiceNoteButton onRecorded={(file) => onAttach([file])} />
      {pollIn !== null && <PollButton conversationId={pollIn} />}
      <EmojiButton onPick={onEmoji} />
      <FormattingToggle>
        <Tooltip text="Formatting">
          <IconButton
            label="Formatting"
            aria-expanded={isFormatting}
            preventFocusOnPress
            onPress={() => onFormatting(!isFormatting)}
          >
            <CaseSensitive />
          </IconButton>
        </Tooltip>
      </FormattingToggle>
    </Row>
  );
}

const Row = styled.div`
  grid-area: add;
  display: flex;
  min-width: 0;
  ${theme.media.small} {
    button {
      flex: 0 1 40px;
      min-width: 32px;
    }
    /* A recording needs the space of the others. */
    &:has([role='timer']) > :not(:has([role='timer'])) {
      display: none;
    }
  }
`;

/** There is space for the formatting itself. */
const FormattingToggle = styled.div`
  display: none;
  ${NARROW} {
    display: block;
  }
`;
