import {
  type EmojiPickerListCategoryHeaderProps,
  type EmojiPickerListEmojiProps,
  EmojiPicker as Picker,
} from 'frimousse';
import { styled } from 'styled-components';
import { bareButton } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

export const EmojiList = () => <List aria-label="Emoji" components={{ CategoryHeader, Emoji }} />;

function CategoryHeader({ category, ...props }: EmojiPickerListCategoryHeaderProps) {
  return <Heading {...props}>{category.label}</Heading>;
}

function Emoji({ emoji, ...props }: EmojiPickerListEmojiProps) {
  return (
    <Cell type="button" title={emoji.label} {...props}>
      {emoji.emoji}
    </Cell>
  );
}

const List = styled(Picker.List)`
  user-select: none;
`;

const Heading = styled.div`
  padding: 6px ${theme.space[2]};
  background: ${theme.color.surface};
  font: 500 ${theme.text.xs};
  color: ${theme.color.text3};
`;

const Cell = styled.button`
  ${bareButton}
  display: grid;
  place-items: center;
  flex: 0 0 calc(100% / var(--frimousse-list-columns));
  height: 36px;
  padding: 0;
  border-radius: ${theme.radius.md};
  font-size: 22px;
  line-height: 1;
  &[data-active] {
    background: ${theme.color.hover};
    box-shadow: inset 0 0 0 1px ${theme.color.line};
  }
  ${theme.media.small} {
    height: 44px;
    font-size: 26px;
  }
`;
