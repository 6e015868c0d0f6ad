import { MAX_INTERVAL, WEEKDAYS } from '@atrium/proto-events/recurrence';
import { WEEKDAY_NAMES } from '@atrium/proto-events/recurrence-text';
import { zoneName } from '#entities/meeting/meeting-labels.ts';
import { fromWeekStart } from '#lib/date-preferences.ts';
import type { Day } from '#lib/day.ts';
import { ChipGroup } from '#ui/fields/chip-group.tsx';
import { NumberField } from '#ui/fields/number-field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { Caption, Stack } from '#ui/layout/primitives.ts';
import { FieldRow } from '#ui/overlays/dialog.tsx';
import { monthlyOptions, type RecurrenceValue, ruleOfForm, ruleSummary, selectedWeekdays } from './form-recurrence.ts';

const INTERVAL_LABELS = new Map([
  ['daily', 'Repeat every (days)'],
  ['weekly', 'Repeat every (weeks)'],
  ['monthly', 'Repeat every (months)'],
]);

const WEEKDAY_CHOICES = fromWeekStart(WEEKDAYS).map((value) => {
  const name = WEEKDAY_NAMES[value];
  return { value, name, label: name.slice(0, 3) };
});

type Props = {
  value: RecurrenceValue;
  onChange: (value: RecurrenceValue) => void;
  error: string | undefined;
  frequency: string;
  /** The first day of the rule. */
  day: Day;
  /** The time zone of the days, if they differ from those in the form. */
  timezone: string | undefined;
};

/** Interval, weekdays, or monthly option of a rule, with a summary. */
export function RecurrenceField({ value, onChange, error, frequency, day, timezone }: Props) {
  const rule = ruleOfForm(frequency, value, day);
  const zone = timezone === undefined ? undefined : `Days in ${zoneName(timezone)}`;
  return (
    <Stack $gap={4}>
      <FieldRow>
        <NumberField
          label={INTERVAL_LABELS.get(frequency) ?? 'Repeat every'}
          value={value.interval}
          onChange={(interval) => onChange({ ...value, interval })}
          min={1}
          max={MAX_INTERVAL}
          isRequired
        />
        {frequency === 'monthly' && (
          <Select
            label="Day of the month"
            value={rule?.monthlyOn ?? value.monthlyOn}
            onChange={(monthlyOn) => onChange({ ...value, monthlyOn })}
            options={monthlyOptions(day)}
            description={zone}
          />
        )}
      </FieldRow>
      {frequency === 'weekly' && (
        <ChipGroup
          label="Weekdays"
          chips={WEEKDAY_CHOICES}
          value={selectedWeekdays(value, day)}
          onChange={(chosen) => onChange({ ...value, weekdays: WEEKDAYS.filter((one) => chosen.includes(one)) })}
          description={zone}
        />
      )}
      {error ? (
        <Caption $tone="danger" role="alert">
          {error}
        </Caption>
      ) : (
        rule && <Caption>{ruleSummary(rule, day)}</Caption>
      )}
    </Stack>
  );
}
