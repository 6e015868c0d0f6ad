import { useWatch } from 'react-hook-form';
import { styled } from 'styled-components';
import { FormField } from '#lib/forms/form-field.tsx';
import { useCurrentUser } from '#lib/session/session.ts';
import { Switch } from '#ui/fields/toggles.tsx';
import { Caption, Stack } from '#ui/layout/primitives.ts';
import { theme } from '#ui/theme.ts';
import { TimePicker } from '#ui/times/time-picker.tsx';
import type { NoticeControl } from './notices-schema.ts';

export function QuietHours({ control }: { control: NoticeControl }) {
  const isOn = useWatch({ control, name: 'quietHours.isOn' });
  const timezone = useCurrentUser().timezone.replaceAll('_', ' ');
  return (
    <Stack $gap={2}>
      <Hours>
        <FormField control={control} name="quietHours.isOn">
          {({ value, onChange }) => (
            <Switch isSelected={value} onChange={onChange}>
              Quiet hours
            </Switch>
          )}
        </FormField>
        {isOn && (
          <>
            <FormField control={control} name="quietHours.start">
              {(field) => <TimePicker {...field} label="Quiet from" isLabelHidden />}
            </FormField>
            <FormField control={control} name="quietHours.end">
              {(field) => <TimePicker {...field} label="Quiet until" isLabelHidden />}
            </FormField>
          </>
        )}
      </Hours>
      <Caption>
        During these hours, devices stay silent and emails wait until they end. All times are in your time zone,{' '}
        {timezone}.
      </Caption>
    </Stack>
  );
}

const Hours = styled.div`
  display: grid;
  grid-template-columns: max-content repeat(2, 128px);
  align-items: center;
  gap: ${theme.space[2]} ${theme.space[4]};
  min-height: 44px;
  /* Both times do not fit next to the switch, so the switch is above them. */
  ${theme.media.small} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    row-gap: 0;
    > :first-child {
      grid-column: 1 / -1;
    }
  }
`;
