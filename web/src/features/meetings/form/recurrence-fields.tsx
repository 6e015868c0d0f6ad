import { MAX_INTERVAL, WEEKDAYS } from '@atrium/proto-events/recurrence/rule';
import { WEEKDAY_NAMES } from '@atrium/proto-events/recurrence/text';
import { useWatch } from 'react-hook-form';
import { FREQUENCY_LABELS, zoneName } from '#entities/meeting/meeting-labels.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { fromWeekStart } from '#lib/time/date-preferences.ts';
import type { Day } from '#lib/time/day.ts';
import { ChipGroup } from '#ui/fields/chip-group.tsx';
import { NumberField } from '#ui/fields/number-field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { Switch } from '#ui/fields/toggles.tsx';
import { Caption, Stack } from '#ui/layout/primitives.ts';
import { FieldRow } from '#ui/overlays/dialog-parts.ts';
import { DatePicker } from '#ui/times/date-picker.tsx';
import {
  monthlyOptions,
  type RecurrenceValue,
  type RuleSource,
  ruleDay,
  ruleSummary,
  selectedWeekdays,
  toRule,
} from './form-recurrence.ts';
import type { FieldsProps } from './meeting-fields.tsx';
import { type Times, toInstants } from './meeting-times.ts';

const FREQUENCIES = Object.entries(FREQUENCY_LABELS).map(([value, label]) => ({ value, label }));

type Props<Out> = FieldsProps<Out> & {
  meeting?: RuleSource;
  initialTimes?: Times | undefined;
};

export function Repeating<Out>(props: Props<Out>) {
  const { control } = props;
  const isRecurring = useWatch({ control, name: 'isRecurring' });
  return (
    <>
      <FormField control={control} name="isRecurring">
        {({ value, onChange }) => (
          <Switch isSelected={value} onChange={onChange}>
            Recurring meeting
          </Switch>
        )}
      </FormField>
      {isRecurring && <RecurrenceFields {...props} />}
    </>
  );
}

export function RecurrenceFields<Out>({ control, meeting, initialTimes }: Props<Out>) {
  const [date, startTime, endTime, frequency] = useWatch({
    control,
    name: ['date', 'startTime', 'endTime', 'recurringFrequency'],
  });
  const start = toInstants({ date, startTime, endTime }, meeting ?? initialTimes).startTime;
  const day = ruleDay(date, start, meeting);
  return (
    <>
      <FieldRow>
        <FormField control={control} name="recurringFrequency">
          {(field) => (
            <Select {...field} label="Frequency" options={FREQUENCIES} placeholder="Choose how often" isRequired />
          )}
        </FormField>
        <FormField control={control} name="recurringEndDate">
          {(field) => <DatePicker {...field} label="End date (optional)" firstDay={date || undefined} />}
        </FormField>
      </FieldRow>
      {frequency !== '' && day !== '' && (
        <FormField control={control} name="recurrence">
          {({ value, onChange, error }) => (
            <RecurrenceField
              value={value}
              onChange={onChange}
              error={error}
              frequency={frequency}
              day={day}
              timezone={day === date ? undefined : meeting?.timezone}
            />
          )}
        </FormField>
      )}
    </>
  );
}

const INTERVAL_LABELS = new Map([
  ['daily', 'Repeat every (days)'],
  ['weekly', 'Repeat every (weeks)'],
  ['monthly', 'Repeat every (months)'],
]);

const WEEKDAY_CHOICES = fromWeekStart(WEEKDAYS).map((value) => {
  const name = WEEKDAY_NAMES[value];
  return { value, name, label: name.slice(0, 3) };
});

type RuleFieldProps = {
  value: RecurrenceValue;
  onChange: (value: RecurrenceValue) => void;
  error: string | undefined;
  frequency: string;
  day: Day;
  /** The time zone of the days, if they differ from those in the form. */
  timezone: string | undefined;
};

export function RecurrenceField({ value, onChange, error, frequency, day, timezone }: RuleFieldProps) {
  const rule = toRule(frequency, value, day);
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
          onChange={(chosen) =>
            onChange({ ...value, weekdays: WEEKDAYS.filter((weekday) => chosen.includes(weekday)) })
          }
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
