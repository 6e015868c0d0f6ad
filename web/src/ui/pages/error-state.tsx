import { CircleAlert } from 'lucide-react';
import { Button } from '../button.tsx';
import { IconTile } from '../layout/icon-tile.ts';
import { MessageBlock } from './empty-state.tsx';

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
      <IconTile $size={44} $tone="danger" aria-hidden="true">
        <CircleAlert />
      </IconTile>
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
