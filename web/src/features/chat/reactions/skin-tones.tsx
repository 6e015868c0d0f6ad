import { EmojiPicker as Picker, type SkinTone } from 'frimousse';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { bareButton, focusRing } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

const LABELS: Readonly<Record<SkinTone, string>> = {
  none: 'Default skin tone',
  light: 'Light skin tone',
  'medium-light': 'Medium-light skin tone',
  medium: 'Medium skin tone',
  'medium-dark': 'Medium-dark skin tone',
  dark: 'Dark skin tone',
};

export function SkinTones({ onChange }: { onChange: (skinTone: SkinTone) => void }) {
  return (
    <Picker.SkinTone emoji="👋">
      {({ skinTone: selected, setSkinTone, skinToneVariations }) => (
        <Choices role="group" aria-label="Skin tone">
          {skinToneVariations.map(({ skinTone, emoji }) => (
            <Choice
              key={skinTone}
              aria-label={LABELS[skinTone]}
              aria-pressed={skinTone === selected}
              onPress={() => {
                setSkinTone(skinTone);
                onChange(skinTone);
              }}
            >
              {emoji}
            </Choice>
          ))}
        </Choices>
      )}
    </Picker.SkinTone>
  );
}

const Choices = styled.div`
  display: flex;
  flex: none;
  gap: 2px;
`;

const Choice = styled(Button)`
  ${bareButton}
  display: grid;
  place-items: center;
  width: 26px;
  height: 28px;
  padding: 0;
  border-radius: ${theme.radius.sm};
  font-size: 16px;
  line-height: 1;
  ${focusRing}
  &[data-hovered] {
    background: ${theme.color.hover};
  }
  &[aria-pressed='true'] {
    background: ${theme.color.accentSoft};
    box-shadow: inset 0 0 0 1px ${theme.color.accent};
  }
  ${theme.media.small} {
    width: 44px;
    height: 44px;
    font-size: 22px;
  }
`;
