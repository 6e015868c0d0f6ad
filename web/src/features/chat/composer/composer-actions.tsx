import { Paperclip } from 'lucide-react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { styled } from 'styled-components';
import { IconButton } from '#ui/icon-button.tsx';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { theme } from '#ui/theme.ts';

type Props = { onAttach: (files: readonly File[]) => void };

/** What can be added to a message, below its text. */
export function ComposerActions({ onAttach }: Props) {
  return (
    <Row>
      <Tooltip text="Attach files">
        <FileTrigger allowsMultiple onSelect={(chosen) => onAttach([...(chosen ?? [])])}>
          <IconButton label="Attach files">
            <Paperclip />
          </IconButton>
        </FileTrigger>
      </Tooltip>
    </Row>
  );
}

const Row = styled.div`
  display: flex;
  flex: none;
  ${theme.media.small} {
    > * {
      width: 40px;
    }
  }
`;
