import { isolate } from '@atrium/proto-events/text/isolate';
import { MessageSquareText } from 'lucide-react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { messagePath } from '#entities/message/message-path.ts';
import { useMessage } from '#entities/message/use-message.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { captionStyles, iconSize, inlineStyles } from '#ui/mixins.ts';

/** Links to the message that a task was created from. Shows nothing to those who cannot read it. */
export function TaskOrigin({ messageId }: { messageId: string }) {
  const { data: message } = useMessage(messageId);
  if (!message || message.deleted) return null;
  const { conversation, seq, thread, sender } = message;
  return (
    <Origin>
      <MessageSquareText aria-hidden="true" />
      <Link to={messagePath({ conversation, seq, root: thread?.root })}>
        From a message by {isolate(displayName(sender))}
      </Link>
    </Origin>
  );
}

const Origin = styled.p`
  ${captionStyles}
  ${inlineStyles(1)}
  align-items: start;
  ${iconSize(14)}
  > svg {
    flex: none;
    margin-top: 2px;
  }
`;
