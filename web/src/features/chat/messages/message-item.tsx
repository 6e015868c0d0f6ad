import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { UserSummary } from '@atrium/proto-events/people';
import { type ReactNode, useState } from 'react';
import { styled } from 'styled-components';
import { Avatar } from '../../../entities/person/avatar.tsx';
import { displayName } from '../../../entities/person/person.ts';
import { useCurrentUser } from '../../../lib/session/use-session.ts';
import { theme } from '../../../ui/theme.ts';
import { clockTime, fullTime } from '../../../ui/times/time-words.ts';
import type { Pending } from '../log/message-log.ts';
import { marginTime } from './chat-times.ts';
import type { Editing } from './edits.ts';
import { LinkedText } from './linked-text.tsx';
import { MessageEditor } from './message-editor.tsx';
import { copyLink } from './message-link.ts';
import { MessageMenu } from './message-menu.tsx';

type Props = {
  message: Message;
  isFollowUp: boolean;
  isPointedOut: boolean;
  canDelete: boolean;
  editing: Editing;
  onDelete: (message: Message) => void;
};

export function MessageItem({ message, isFollowUp, isPointedOut, canDelete, editing, onDelete }: Props) {
  const me = useCurrentUser()._id;
  const isMine = message.sender._id === me;
  const [isBegunHere, setBegunHere] = useState(false);
  const text = message.deleted ? undefined : editing.edits[message._id];
  const beginEdit = () => {
    setBegunHere(true);
    editing.write(message._id, message.content);
  };
  return (
    <Entry sender={message.sender} time={message.createdAt} isFollowUp={isFollowUp} isPointedOut={isPointedOut}>
      {text !== undefined ? (
        <MessageEditor
          message={message}
          text={text}
          isFocused={isBegunHere}
          onWrite={(next) => editing.write(message._id, next)}
          onDone={() => {
            setBegunHere(false);
            editing.end(message._id);
          }}
        />
      ) : (
        <Content message={message} />
      )}
      {!message.deleted && text === undefined && (
        <MessageMenu
          onCopyLink={() => void copyLink(message)}
          onEdit={isMine ? beginEdit : undefined}
          onDelete={canDelete ? () => onDelete(message) : undefined}
        />
      )}
    </Entry>
  );
}

/** On its way: paler until the server has it. */
export function PendingItem({ pending, isFollowUp }: { pending: Pending; isFollowUp: boolean }) {
  const me = useCurrentUser();
  return (
    <Entry sender={me} time={pending.createdAt} isFollowUp={isFollowUp}>
      <Text $isPending aria-busy="true">
        <LinkedText text={pending.content} />
      </Text>
    </Entry>
  );
}

function Content({ message }: { message: Message }) {
  if (message.deleted) return <Gone>This message was deleted</Gone>;
  return (
    <Text>
      <LinkedText text={message.content} />
      {message.editedAt && <Edited title={fullTime(message.editedAt)}> (edited)</Edited>}
    </Text>
  );
}

type EntryProps = {
  sender: UserSummary | { _id: string; firstName: string; lastName: string };
  time: string;
  isFollowUp: boolean;
  isPointedOut?: boolean;
  children: ReactNode;
};

function Entry({ sender, time, isFollowUp, isPointedOut = false, children }: EntryProps) {
  return (
    <Root $isFollowUp={isFollowUp} $isPointedOut={isPointedOut} aria-current={isPointedOut || undefined}>
      {isFollowUp ? (
        <Clock dateTime={time} title={fullTime(time)} aria-hidden="true">
          {marginTime(time)}
        </Clock>
      ) : (
        <Avatar person={sender} size={36} />
      )}
      <Body>
        {!isFollowUp && (
          <Head>
            <strong>{displayName(sender)}</strong>
            <time dateTime={time} title={fullTime(time)}>
              {clockTime(time)}
            </time>
          </Head>
        )}
        {children}
      </Body>
    </Root>
  );
}

const Clock = styled.time`
  justify-self: center;
  font: 11px / 22px var(--font);
  white-space: nowrap;
  color: ${theme.color.text3};
  font-variant-numeric: tabular-nums;
  opacity: 0;
`;

const Root = styled.article<{ $isFollowUp: boolean; $isPointedOut: boolean }>`
  position: relative;
  display: grid;
  grid-template-columns: 36px minmax(0, 1fr);
  gap: ${theme.space[3]};
  margin: 0 calc(-1 * ${theme.space[2]});
  padding: ${({ $isFollowUp }) => ($isFollowUp ? '1px' : `${theme.space[3]}`)} ${theme.space[2]} 1px;
  border-radius: ${theme.radius.md};
  background: ${({ $isPointedOut }) => ($isPointedOut ? theme.color.accentSoft : 'transparent')};
  transition: background ${theme.motion.fast};
  &:hover,
  &:focus-within {
    background: ${({ $isPointedOut }) => ($isPointedOut ? theme.color.accentSoft : theme.color.hover)};
  }
  &:hover ${Clock} {
    opacity: 1;
  }
`;

const Body = styled.div`
  min-width: 0;
  /* Room for the button that is always in sight there. */
  @media (hover: none) {
    padding-right: ${theme.space[6]};
  }
`;

const Head = styled.header`
  display: flex;
  align-items: baseline;
  gap: 6px;
  strong {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-weight: 600;
  }
  time {
    flex: none;
    font: ${theme.text.xs};
    color: ${theme.color.text3};
    font-variant-numeric: tabular-nums;
  }
`;

const Text = styled.p<{ $isPending?: boolean }>`
  line-height: 22px;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  opacity: ${({ $isPending }) => ($isPending ? 0.6 : 1)};
`;

const Gone = styled.p`
  line-height: 22px;
  font-style: italic;
  color: ${theme.color.text3};
`;

const Edited = styled.span`
  font: ${theme.text.xs};
  color: ${theme.color.text3};
`;
