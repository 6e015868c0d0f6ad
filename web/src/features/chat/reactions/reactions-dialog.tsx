import type { Message } from '@atrium/proto-events/http/chat/messages';
import { styled } from 'styled-components';
import { EmojiGlyph } from '#entities/emoji/emoji-glyph.tsx';
import { useCurrentUser } from '#lib/session/session.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { theme } from '#ui/theme.ts';
import { useReactions } from './pending-reactions.ts';
import { reactingUsersLabel } from './reaction-labels.ts';

type Props = { message: Message; onClose: () => void };

/** Lists who reacted, also on touch screens, where the reactions have no tooltips. */
export function ReactionsDialog({ message, onClose }: Props) {
  const currentUserId = useCurrentUser()._id;
  const reactions = useReactions(message);
  return (
    <Dialog title="Reactions" onClose={onClose} width="sm" isDismissable>
      <DialogBody>
        <List>
          {reactions.map((reaction) => (
            <li key={reaction.emoji}>
              <Emoji>
                <EmojiGlyph emoji={reaction.emoji} />
              </Emoji>
              <span dir="auto">{reactingUsersLabel(reaction, currentUserId)}</span>
            </li>
          ))}
        </List>
      </DialogBody>
    </Dialog>
  );
}

const List = styled.ul`
  display: grid;
  gap: ${theme.space[3]};
  margin: 0;
  padding: 0;
  list-style: none;
  > li {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: ${theme.space[3]};
    align-items: start;
    overflow-wrap: anywhere;
  }
`;

const Emoji = styled.span`
  font-size: 20px;
  line-height: 22px;
`;
