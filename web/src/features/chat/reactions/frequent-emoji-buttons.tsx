import type { Message } from '@atrium/proto-events/http/chat/messages';
import { styled } from 'styled-components';
import { EmojiGlyph } from '#entities/emoji/emoji-glyph.tsx';
import { useCurrentUser } from '#lib/session/session.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { useFrequentEmoji } from './frequent-emoji.ts';
import { toggleReaction } from './pending-reactions.ts';

type Props = { message: Message; onPress?: () => void };

/** The keyboard reaches every emoji through the picker, so these add no stops to the tab order. */
export function FrequentEmojiButtons({ message, onPress }: Props) {
  const emojis = useFrequentEmoji(useCurrentUser()._id);
  return emojis.map((emoji) => (
    <IconButton
      key={emoji}
      label={`React with ${emoji}`}
      excludeFromTabOrder
      onPress={() => {
        onPress?.();
        toggleReaction(message, emoji);
      }}
    >
      <Glyph>
        <EmojiGlyph emoji={emoji} />
      </Glyph>
    </IconButton>
  ));
}

const Glyph = styled.span`
  font-size: 17px;
  line-height: 1;
`;
