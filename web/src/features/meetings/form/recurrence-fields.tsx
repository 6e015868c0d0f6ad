import { useWatch } from 'react-hook-form';
import { FREQUENCY_LABELS } from '#entities/meeting/meeting-labels.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { Switch } from '#ui/fields/switch.tsx';
import { FieldRow } from '#ui/overlays/dialog.tsx';
import { DatePicker } from '#ui/times/date-picker.tsx';
import { type RuleSource, ruleDay } from './form-recurrence.ts';
import type { FieldsProps } from './meeting-fields.tsx';
import { instantsOf, type Times } from './meeting-schema.ts';
import { RecurrenceField } from './recurrence-field.tsx';

const FREQUENCIES = Object.entries(FREQUENCY_LABELS).map(([value, label]) => ({ value, label }));

type Props<Out> = FieldsProps<Out> & {
  /** The edited meeting. */
  meeting?: RuleSource;
  /** The time selected in the calendar for a new meeting. */
  from?: Times | undefined;
};

/** The switch that makes a single meeting a series. */
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

/** The recurrence and its optional end date. */
export function RecurrenceFields<Out>({ control, meeting, from }: Props<Out>) {
  const [date, startTime, endTime, frequency] = useWatch({
    control,
    name: ['date', 'startTime', 'endTime', 'recurringFrequency'],
  });
  const start = instantsOf({ date, startTime, endTime }, meeting ?? from).startTime;
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
