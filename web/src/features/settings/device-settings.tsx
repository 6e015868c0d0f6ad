import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { styled } from 'styled-components';
import { reloadPage } from '#lib/forms/unsaved-changes.ts';
import { setSingleKeys, useSingleKeys } from '#lib/single-key-shortcuts.ts';
import {
  type Clock,
  chosenClock,
  storeClock,
  storeWeekStart,
  type WeekStart,
  weekStart,
} from '#lib/time/date-preferences.ts';
import { Select } from '#ui/fields/select.tsx';
import { Switch } from '#ui/fields/toggles.tsx';
import { FieldRow } from '#ui/overlays/dialog-parts.ts';
import { theme } from '#ui/theme.ts';
import { chooseTheme, type ThemeChoice, useThemeChoice } from '#ui/theme-choice.ts';

const CHOICES: readonly { value: ThemeChoice; label: string; themes: readonly ('light' | 'dark')[] }[] = [
  { value: 'system', label: 'System', themes: ['light', 'dark'] },
  { value: 'light', label: 'Light', themes: ['light'] },
  { value: 'dark', label: 'Dark', themes: ['dark'] },
];

export function ThemePicker() {
  const chosen = useThemeChoice();
  const choose = (value: string) => {
    const theme = CHOICES.find((choice) => choice.value === value);
    if (theme) chooseTheme(theme.value);
  };
  return (
    <Choices aria-label="Theme" value={chosen} onChange={choose} orientation="horizontal">
      {CHOICES.map(({ value, label, themes }) => (
        <Choice key={value} value={value}>
          <Sketch aria-hidden="true">
            {themes.map((preview) => (
              <Preview key={preview} data-theme={preview}>
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

const CLOCKS: readonly { value: Clock; label: string }[] = [
  { value: 'auto', label: 'Match my browser’s language' },
  { value: '12', label: '12-hour (5:30 PM)' },
  { value: '24', label: '24-hour (17:30)' },
];

const WEEK_STARTS: readonly { value: WeekStart; label: string }[] = [
  { value: 'sun', label: 'Sunday' },
  { value: 'mon', label: 'Monday' },
  { value: 'sat', label: 'Saturday' },
];

/** Date settings of this device. Screens read them on load, so a change reloads the page. */
export function DateSettings() {
  return (
    <Fields>
      <Select
        label="Clock"
        options={CLOCKS}
        value={chosenClock()}
        onChange={(clock) => clock !== chosenClock() && reloadPage(() => storeClock(clock))}
      />
      <Select
        label="First day of the week"
        options={WEEK_STARTS}
        value={weekStart()}
        onChange={(day) => day !== weekStart() && reloadPage(() => storeWeekStart(day))}
      />
    </Fields>
  );
}

const Fields = styled(FieldRow)`
  padding: ${theme.gutter.panel};
`;

export function ShortcutSwitch() {
  return (
    <Switch isSelected={useSingleKeys()} onChange={setSingleKeys}>
      Single-key shortcuts (such as N for a new meeting)
    </Switch>
  );
}
