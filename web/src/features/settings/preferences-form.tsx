import type { OwnPreferences, updatePreferences } from '@atrium/proto-events/http/users';
import { useWatch } from 'react-hook-form';
import { styled } from 'styled-components';
import { usePreferences } from '#entities/user/use-users.ts';
import { call } from '#lib/api/api.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { useRefetch } from '#lib/query/use-refetch.ts';
import { fromWeekStart } from '#lib/time/date-preferences.ts';
import { Select } from '#ui/fields/select.tsx';
import { Checkbox } from '#ui/fields/toggles.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { Caption, Stack, Text } from '#ui/layout/primitives.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { TimePicker } from '#ui/times/time-picker.tsx';
import { EditPanelForm } from './panel-form.tsx';
import {
  type DayName,
  PREFERENCE_FIELDS,
  preferencesSchema,
  reminderOptions,
  valuesOf,
  WEEKDAYS,
} from './preferences-schema.ts';

export function PreferencesForm() {
  const preferences = usePreferences();
  return (
    <AsyncContent query={preferences} failure="Failed to load preferences" skeletons={<SkeletonRows count={4} />}>
      {(loaded) => <Form preferences={loaded} />}
    </AsyncContent>
  );
}

function Form({ preferences }: { preferences: OwnPreferences }) {
  const editing = usePreferencesForm(preferences);
  const { control } = editing;
  return (
    <EditPanelForm form={editing} resourceLabel="your preferences" action="Save Preferences">
      <FormField control={control} name="reminder">
        {(field) => (
          <Select
            {...field}
            label="Remind me of meetings"
            options={reminderOptions(preferences.reminderMinutes)}
            description="In Atrium and by email. No reminders for meetings you’ve declined."
          />
        )}
      </FormField>
      <Stack as="section" $gap={2} aria-labelledby="working-hours">
        <Text as="p" $size="sm" $weight={500} id="working-hours">
          Working hours
        </Text>
        <Caption>Colleagues are offered times within these hours. They can’t see the hours themselves.</Caption>
        {fromWeekStart(WEEKDAYS).map(({ name, label }) => (
          <DayFields key={name} control={control} name={name} label={label} />
        ))}
      </Stack>
    </EditPanelForm>
  );
}

type DayProps = { control: ReturnType<typeof usePreferencesForm>['control']; name: DayName; label: string };

function DayFields({ control, name, label }: DayProps) {
  const isOn = useWatch({ control, name: `${name}.isOn` });
  return (
    <Day>
      <FormField control={control} name={`${name}.isOn`}>
        {({ value, onChange }) => (
          <Checkbox isSelected={value} onChange={onChange}>
            {label}
          </Checkbox>
        )}
      </FormField>
      {isOn ? (
        <>
          <FormField control={control} name={`${name}.start`}>
            {(field) => <TimePicker {...field} label={`${label} from`} isLabelHidden />}
          </FormField>
          <FormField control={control} name={`${name}.end`}>
            {(field) => <TimePicker {...field} label={`${label} until`} isLabelHidden isDayEnd />}
          </FormField>
        </>
      ) : (
        <span>No meetings</span>
      )}
    </Day>
  );
}

const Day = styled.div`
  display: grid;
  grid-template-columns: minmax(112px, 1fr) minmax(0, 1fr) minmax(0, 1fr);
  align-items: baseline;
  gap: ${theme.space[2]};
  min-height: 44px;
  > span {
    grid-column: 2 / -1;
    font: ${theme.text.sm};
    color: ${theme.color.text3};
  }
  /* Both times do not fit next to the day, so the day is above them. */
  ${theme.media.small} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    row-gap: 0;
    > :first-child:not(:has(+ span)) {
      grid-column: 1 / -1;
    }
  }
`;

function usePreferencesForm(preferences: OwnPreferences) {
  const refetch = useRefetch();
  return useVersionedForm({
    resource: preferences,
    valuesOf,
    fields: PREFERENCE_FIELDS,
    schema: preferencesSchema,
    draft: 'preferences',
    save: (body, version) =>
      call<typeof updatePreferences>('PATCH /users/profile/preferences', { body: { ...body, version } }),
    messages: { saved: 'Preferences saved', failed: 'Failed to save preferences' },
    onSaved: (saved, rebase) => {
      rebase(saved);
      refetch('/users');
    },
  });
}
