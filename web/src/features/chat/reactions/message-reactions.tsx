import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { Reaction } from '@atrium/proto-events/http/chat/reactions';
import { SmilePlus } from 'lucide-react';
import { useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { css, styled } from 'styled-components';
import { EmojiGlyph } from '#entities/emoji/emoji-glyph.tsx';
import { useCurrentUser } from '#lib/session/session.ts';
import { bareButton, focusRing, hiddenInPrint, iconSize } from '#ui/mixins.ts';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { theme } from '#ui/theme.ts';
import { toggleReaction, useReactions } from './pending-reactions.ts';
import { reactingUsersLabel, reactionLabel } from './reaction-labels.ts';

/** Without `onAdd`, the reactions are only shown. */
type Props = { message: Message; onAdd: ((anchor: HTMLElement | null) => void) | undefined };

export function MessageReactions({ message, onAdd }: Props) {
  const reactions = useReactions(message);
  const addButton = useRef<HTMLButtonElement>(null);
  if (reactions.length === 0) return null;
  return (
    <Row role="group" aria-label="Reactions">
      {reactions.map((reaction) => (
        <ReactionChip
          key={reaction.emoji}
          reaction={reaction}
          onPress={onAdd && (() => toggleReaction(message, reaction.emoji))}
        />
      ))}
      {onAdd && (
        <AddButton ref={addButton} aria-label="Add reaction" onPress={() => onAdd(addButton.current)}>
          <SmilePlus />
        </AddButton>
      )}
    </Row>
  );
}

function ReactionChip({ reaction, onPress }: { reaction: Reaction; onPress: (() => void) | undefined }) {
  const { emoji, count, mine = false } = reaction;
  const currentUserId = useCurrentUser()._id;
  return (
    <Tooltip text={reactingUsersLabel(reaction, currentUserId)}>
      <Chip
        aria-label={reactionLabel(reaction)}
        aria-pressed={mine}
        aria-disabled={!onPress}
        {...(onPress && { onPress })}
      >
        <span>
          <EmojiGlyph emoji={emoji} />
        </span>
        <Count>{count}</Count>
      </Chip>
    </Tooltip>
  );
}

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${theme.space[1]};
  padding: ${theme.space[1]} 0;
  ${theme.media.small} {
    gap: ${theme.space[2]};
  }
`;

const pillStyles = css`
  ${bareButton}
  display: inline-flex;
  align-items: center;
  justify-content: center;
  height: 26px;
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.full};
  color: ${theme.color.text2};
  transition: background ${theme.motion.fast}, border-color ${theme.motion.fast};
  ${focusRing}
  &[data-hovered] {
    border-color: ${theme.color.lineStrong};
  }
  ${theme.media.small} {
    position: relative;
    height: 32px;
    /* Extends the target to 44 pixels. */
    &::after {
      content: '';
      position: absolute;
      inset: -6px -4px;
    }
  }
`;

const Chip = styled(Button)`
  ${pillStyles}
  gap: 6px;
  padding: 0 9px 0 8px;
  background: ${theme.color.surface};
  font: 500 ${theme.text.xs};
  > :first-child {
    font-size: 15px;
    line-height: 1;
  }
  &[aria-pressed='true'] {
    border-color: ${theme.color.accent};
    background: ${theme.color.accentSoft};
    color: ${theme.color.accent};
  }
`;

const Count = styled.span`
  min-width: 1ch;
  text-align: center;
  font-variant-numeric: tabular-nums;
`;

const AddButton = styled(Button)`
  ${pillStyles}
  width: 34px;
  padding: 0;
  background: transparent;
  color: ${theme.color.text3};
  ${iconSize(15)}
  ${theme.media.small} {
    width: 44px;
  }
  ${hiddenInPrint}
`;
