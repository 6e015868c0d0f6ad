import { type UseFormReturn, useWatch } from 'react-hook-form';
import type { PersonLike } from '#entities/user/person.ts';
import { usePeopleOf } from '#entities/user/use-people.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { peopleOptions } from '../closing/people-options.tsx';
import { instantOf } from '../form/meeting-schema.ts';
import type { MeetingValues } from '../form/meeting-values.ts';
import { AgendaField } from './agenda-field.tsx';

/** Ids per request. */
const MAX_IDS = 100;

type Props<Out> = {
  form: UseFormReturn<MeetingValues, unknown, Out>;
  /** Users already loaded, invited or not. */
  known: readonly PersonLike[];
};

/** The agenda in a meeting's form: items can be assigned to participants, and times follow from the start. */
export function AgendaFormField<Out>({ form: { control }, known }: Props<Out>) {
  const [date, startTime, participants, agendaItems] = useWatch({
    control,
    name: ['date', 'startTime', 'participants', 'agendaItems'],
  });
  const strangers = participants.filter((id) => !known.some(({ _id }) => _id === id));
  // No request before there is an item to assign.
  const found = usePeopleOf(agendaItems?.length > 0 ? strangers.slice(0, MAX_IDS) : []).data?.data ?? [];
  return (
    <FormField control={control} name="agendaItems">
      {({ value, onChange, error }) => (
        <AgendaField
          value={value ?? []}
          onChange={onChange}
          error={error}
          startTime={instantOf(date, startTime)}
          people={peopleOptions([...known, ...found])}
        />
      )}
    </FormField>
  );
}
