import { CircleAlert } from 'lucide-react';
import { Button } from '../button.tsx';
import { IconTile } from '../layout/icon-tile.ts';
import { MessageBlock } from './empty-state.tsx';

type Props = {
  /** A message such as 'Failed to load projects'. */
  title: string;
  detail?: string | undefined;
  onRetry: () => void;
  isRetrying?: boolean;
};

export function ErrorState({ title, detail, onRetry, isRetrying = false }: Props) {
  return (
    <MessageBlock role="alert">
      <IconTile $size={44} $tone="danger" aria-hidden="true">
        <CircleAlert />
      </IconTile>
      <h3>{title}</h3>
      {detail && detail !== title && <p>{detail}</p>}
      <div>
        <Button onPress={onRetry} isBusy={isRetrying}>
          Retry
        </Button>
      </div>
    </MessageBlock>
  );
}
