import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { ReactNode } from 'react';
import { Button as PressArea } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { messageLine } from '#entities/conversation/conversation-labels.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { bareButton, captionStyles, clampLines, focusRing } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';

type RowProps = {
  message: Message;
  /** Where it was sent, in a list from several conversations. */
  place?: string;
  onOpen: () => void;
  /** Shown instead of the message. */
  text?: ReactNode;
  /** Shown below the text. */
  note?: string | undefined;
  action: ReactNode;
};

export function ListedMessage({ message, place, onOpen, text, note, action }: RowProps) {
  return (
    <Row>
      <Press onPress={onOpen}>
        <Avatar user={message.sender} size={32} />
        <Text>
          <Head>
            <strong dir="auto">{displayName(message.sender)}</strong>
            <Origin>
              {place !== undefined && <span dir="auto">{place}</span>}
              <RelativeTime time={message.createdAt} />
            </Origin>
          </Head>
          <Excerpt dir="auto">{text ?? messageLine(message)}</Excerpt>
          {note !== undefined && <Note>{note}</Note>}
        </Text>
      </Press>
      <Actions>{action}</Actions>
    </Row>
  );
}

export const MessageListing = styled.ul`
  display: grid;
  gap: ${theme.space[1]};
  margin: 0;
  padding: 0;
  list-style: none;
`;

const Row = styled.li`
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  gap: ${theme.space[1]};
  align-items: start;
`;

const Actions = styled.div`
  display: flex;
`;

const Press = styled(PressArea)`
  ${bareButton}
  ${focusRing}
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: ${theme.space[3]};
  padding: ${theme.space[2]};
  border-radius: ${theme.radius.md};
  color: ${theme.color.text};
  text-align: start;
  &[data-hovered] {
    background: ${theme.color.hover};
  }
`;

const Text = styled.span`
  display: grid;
  min-width: 0;
`;

const Head = styled.span`
  display: flex;
  flex-wrap: wrap;
  gap: 0 ${theme.space[2]};
  align-items: baseline;
  ${captionStyles}
  strong {
    font: 600 ${theme.text.sm};
    color: ${theme.color.text};
  }
`;

/** Wraps as a whole first. */
const Origin = styled.span`
  display: flex;
  flex-wrap: wrap;
  gap: 0 ${theme.space[2]};
`;

const Excerpt = styled.span`
  ${clampLines(3)}
  overflow-wrap: anywhere;
`;

const Note = styled.span`
  padding-top: 2px;
  font: ${theme.text.xs};
  color: ${theme.color.accent};
`;
