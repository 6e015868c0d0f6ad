import type { Conversation } from '@atrium/proto-events/http/chat';
import { styled } from 'styled-components';
import { typingLine } from '#entities/conversation/conversation-labels.ts';
import { ellipsis } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { useTyping } from './typing-store.ts';

/** Has a fixed height, so that nothing moves. */
export function TypingLine({ conversation }: { conversation: Conversation }) {
  const typing = useTyping(conversation._id);
  return <Line aria-live="polite">{typingLine(typing.map(({ name }) => name))}</Line>;
}

const Line = styled.p`
  height: 20px;
  padding: 4px 2px 0;
  ${ellipsis}
  font: ${theme.text.xs};
  color: ${theme.color.text3};
`;
