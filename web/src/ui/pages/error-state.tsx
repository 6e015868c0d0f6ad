import { CircleAlert } from 'lucide-react';
import { styled } from 'styled-components';
import { Button } from '../button.tsx';
import { theme } from '../theme.ts';
import { MessageBlock, MessageIcon } from './empty-state.tsx';

type Props = {
  /** Such as 'Failed to load projects'. */
  title: string;
  detail?: string | undefined;
  onRetry: () => void;
  retryLabel?: string;
  isRetrying?: boolean;
};

/** In place of the list. */
export function ErrorState({ title, detail, onRetry, retryLabel = 'Retry', isRetrying = false }: Props) {
  return (
    <MessageBlock role="alert">
      <Mark aria-hidden="true">
        <CircleAlert />
      </Mark>
      <h3>{title}</h3>
      {detail && detail !== title && <p>{detail}</p>}
      <div>
        <Button onPress={onRetry} isBusy={isRetrying}>
          {retryLabel}
        </Button>
      </div>
    </MessageBlock>
  );
}

const Mark = styled(MessageIcon)`
  background: ${theme.color.dangerSoft};
  color: ${theme.color.danger};
`;
