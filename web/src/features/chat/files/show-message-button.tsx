import { MessageSquareText } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { messagePath } from '#entities/message/message-path.ts';
import { IconButton } from '#ui/icon-button.tsx';

type Props = { of: { conversation: string; seq: number; thread: string | null } };

/** Shows the message of a file or link, or the reply in its thread. Dialogs close on navigation. */
export function ShowMessageButton({ of: { conversation, seq, thread } }: Props) {
  const navigate = useNavigate();
  return (
    <IconButton label="Show message" onPress={() => void navigate(messagePath({ conversation, seq, root: thread }))}>
      <MessageSquareText />
    </IconButton>
  );
}
