import { styled } from 'styled-components';
import {
  type Clock,
  chosenClock,
  storeClock,
  storeWeekStart,
  type WeekStart,
  weekStart,
} from '#lib/date-preferences.ts';
import { reloadPage } from '#lib/forms/navigation-blocker.ts';
import { Select } from '#ui/fields/select.tsx';
import { FieldRow } from '#ui/overlays/dialog-parts.ts';
import { theme } from '#ui/theme.ts';

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
