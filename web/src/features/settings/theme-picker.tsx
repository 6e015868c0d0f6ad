import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { styled } from 'styled-components';
import { theme } from '#ui/theme.ts';
import { chooseTheme, type ThemeChoice, useThemeChoice } from '#ui/theme-choice.ts';

const CHOICES: readonly { value: ThemeChoice; label: string; looks: readonly ('light' | 'dark')[] }[] = [
  { value: 'system', label: 'System', looks: ['light', 'dark'] },
  { value: 'light', label: 'Light', looks: ['light'] },
  { value: 'dark', label: 'Dark', looks: ['dark'] },
];

/** The theme of this device; applied immediately. */
export function ThemePicker() {
  const chosen = useThemeChoice();
  const choose = (value: string) => {
    const found = CHOICES.find((choice) => choice.value === value);
    if (found) chooseTheme(found.value);
  };
  return (
    <Choices aria-label="Theme" value={chosen} onChange={choose} orientation="horizontal">
      {CHOICES.map(({ value, label, looks }) => (
        <Choice key={value} value={value}>
          <Sketch aria-hidden="true">
            {looks.map((look) => (
              <Preview key={look} data-theme={look}>
                <span />
                <span />
                <span />
              </Preview>
            ))}
          </Sketch>
          {label}
        </Choice>
      ))}
    </Choices>
  );
}

const Choices = styled(RadioGroup)`
  display: grid;
  grid-template-columns: repeat(3, minmax(0, 1fr));
  gap: ${theme.space[4]};
  padding: ${theme.gutter.panel};
  ${theme.media.small} {
    gap: ${theme.space[3]};
  }
`;

const Sketch = styled.span`
  display: flex;
  height: 84px;
  margin-bottom: ${theme.space[2]};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.lg};
  overflow: hidden;
`;

const Choice = styled(Radio)`
  font-weight: 500;
  color: ${theme.color.text2};
  cursor: pointer;
  &[data-hovered] ${Sketch} {
    border-color: ${theme.color.lineStrong};
  }
  &[data-selected] {
    color: ${theme.color.text};
  }
  &[data-selected] ${Sketch} {
    border-color: ${theme.color.accent};
    box-shadow: inset 0 0 0 1px ${theme.color.accent};
  }
  &[data-focus-visible] ${Sketch} {
    box-shadow: ${theme.shadow.focus};
  }
`;

/** A small page preview in the tokens of that theme. */
const Preview = styled.span`
  flex: 1;
  display: grid;
  align-content: center;
  gap: 6px;
  padding: ${theme.space[3]};
  background: ${theme.color.ground};
  > span {
    height: 8px;
    border-radius: ${theme.radius.full};
    background: ${theme.color.lineStrong};
  }
  > span:nth-child(1) {
    width: 60%;
    background: ${theme.color.text};
  }
  > span:nth-child(3) {
    width: 40%;
    background: ${theme.color.accent};
  }
`;
