import type { MentionToken } from '@atrium/proto-events/text/mentions';
import { Link } from 'react-router-dom';
import { css, styled } from 'styled-components';
import { useTitles } from '#entities/conversation/conversation-titles.ts';
import { type MentionLabels, mentionLabel } from '#entities/conversation/mention-labels.ts';
import { useConversation } from '#entities/conversation/use-conversations.ts';
import { CONVERSATION } from '#entities/message/message-path.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { useIsInGroup } from '#realtime/unread.ts';
import { focusRing } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

type Props = { mention: MentionToken; labels: MentionLabels; isInLink?: boolean };

export function Mention({ mention, labels, isInLink = false }: Props) {
  const currentUserId = useCurrentUser()._id;
  const isOwnGroup = useIsInGroup('id' in mention ? mention.id : '');
  if (mention.kind === 'conversation' && !isInLink) return <ConversationMention id={mention.id} />;
  const isOwn = !('id' in mention) || mention.id === currentUserId || isOwnGroup;
  return <Name $isOwn={isOwn}>{mentionLabel(mention, labels)}</Name>;
}

function ConversationMention({ id }: { id: string }) {
  const title = useTitles().get(id);
  // It may not be among the latest ones.
  const { error } = useConversation(title === undefined ? id : null);
  if (title === undefined || error) return <Name $isOwn={false}>#unknown</Name>;
  return (
    <ChannelLink to={`/chat?${new URLSearchParams({ [CONVERSATION]: id })}`}>
      <bdi>#{title}</bdi>
    </ChannelLink>
  );
}

const chipStyles = css`
  padding: 1px 3px;
  border-radius: ${theme.radius.sm};
  background: ${theme.color.accentSoft};
  color: ${theme.color.accent};
  font-weight: 500;
  overflow-wrap: anywhere;
  /* Each line of a long name has its own ends. */
  box-decoration-break: clone;
`;

const Name = styled.bdi<{ $isOwn: boolean }>`
  ${chipStyles}
  ${({ $isOwn }) =>
    $isOwn &&
    css`
      background: ${theme.color.warningSoft};
      color: ${theme.color.warning};
    `}
`;

const ChannelLink = styled(Link)`
  ${chipStyles}
  ${focusRing}
`;
