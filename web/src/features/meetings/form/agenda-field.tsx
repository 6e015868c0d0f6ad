import { MAX_AGENDA_ITEMS } from '@atrium/proto-events/http/meetings/meeting-fields';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { styled } from 'styled-components';
import { useUsersByIds } from '#entities/user/use-users.ts';
import type { NamedUser } from '#entities/user/user-labels.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { NumberField } from '#ui/fields/number-field.tsx';
import type { Option } from '#ui/fields/option.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { captionStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { clockTime } from '#ui/times/time-format.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { agendaTimes, moveItem } from './agenda-times.ts';
import { toInstant } from './meeting-times.ts';
import type { AgendaValues, MeetingValues } from './meeting-values.ts';
import { RowsField, useRows } from './rows-field.tsx';
import { assigneeOptions, UserSelect } from './user-select.tsx';

type Props = {
  value: readonly AgendaValues[];
  onChange: (value: AgendaValues[]) => void;
  people: readonly Option[];
  startTime: string | undefined;
  error: string | undefined;
};

const DEFAULT_MINUTES = 10;

/** Edits agenda items, one per row. Rows move with buttons, or with Alt and an arrow key in any of their fields. */
export function AgendaField({ value, onChange, people, startTime, error }: Props) {
  const { box, focus, change, add, remove } = useRows({
    value,
    onChange,
    emptyRow: { title: '', minutes: DEFAULT_MINUTES, who: '' },
  });
  /** Keys that follow rows as they are moved, so that a field being typed into stays with its item. */
  const [keys, setKeys] = useState<readonly number[]>([]);
  const keyAt = (index: number) => keys[index] ?? index;
  const times = startTime === undefined ? undefined : agendaTimes(startTime, value);
  const move = (from: number, to: number, selector = 'input') => {
    if (to < 0 || to >= value.length) return;
    onChange(moveItem(value, from, to));
    const order = Array.from({ length: Math.max(keys.length, value.length) }, (_, index) => keyAt(index));
    setKeys(moveItem(order, from, to));
    focus(to, selector);
  };
  const onKeyDown = (index: number) => (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    event.stopPropagation();
    move(index, event.key === 'ArrowUp' ? index - 1 : index + 1);
  };
  return (
    <RowsField
      box={box}
      legend="Agenda items"
      error={error}
      gap={theme.space[2]}
      add={value.length < MAX_AGENDA_ITEMS ? { label: 'Add agenda item', run: add } : undefined}
      hint={value.length > 1 && <VisuallyHidden>Press Alt and an arrow key to move an item.</VisuallyHidden>}
    >
      {value.map((row, index) => (
        <Row key={keyAt(index)} onKeyDownCapture={onKeyDown(index)}>
          <Clock>{times && clockTime(times.starts[index] ?? '')}</Clock>
          <TextField
            label={`Item ${index + 1}`}
            isLabelHidden
            placeholder="Topic"
            value={row.title}
            onChange={(title) => change(index, { title })}
            maxLength={200}
          />
          <NumberField
            label={`Duration of item ${index + 1} in minutes`}
            isLabelHidden
            placeholder="Min"
            min={1}
            max={600}
            value={row.minutes}
            onChange={(minutes) => change(index, { minutes })}
          />
          <UserSelect
            label={`Presenter of item ${index + 1}`}
            isLabelHidden
            value={row.who}
            onChange={(who) => change(index, { who })}
            options={people}
          />
          <Inline as="span" $align="stretch">
            <IconButton
              label={`Move item ${index + 1} up`}
              isDisabled={index === 0}
              onPress={() => move(index, index - 1, '[aria-label$=" up"]')}
            >
              <ArrowUp />
            </IconButton>
            <IconButton
              label={`Move item ${index + 1} down`}
              isDisabled={index === value.length - 1}
              onPress={() => move(index, index + 1, '[aria-label$=" down"]')}
            >
              <ArrowDown />
            </IconButton>
            <IconButton label={`Remove item ${index + 1}`} onPress={() => remove(index)}>
              <X />
            </IconButton>
          </Inline>
        </Row>
      ))}
    </RowsField>
  );
}

const Row = styled.li`
  display: grid;
  grid-template-columns: 60px minmax(0, 1fr) 72px 160px auto;
  gap: ${theme.space[2]};
  align-items: center;
  ${theme.media.small} {
    grid-template-columns: 72px minmax(0, 1fr) auto;
    padding-bottom: ${theme.space[3]};
    border-bottom: 1px solid ${theme.color.line};
    > :nth-child(2) {
      grid-column: 2 / -1;
    }
  }
`;

const Clock = styled.span`
  white-space: nowrap;
  ${captionStyles}
  font-variant-numeric: tabular-nums;
`;

/** Maximum number of ids in one request. */
const MAX_IDS = 100;

type FormFieldProps<Out> = {
  form: UseFormReturn<MeetingValues, unknown, Out>;
  /** Users already loaded, invited or not. */
  loadedPeople: readonly NamedUser[];
};

export function AgendaFormField<Out>({ form: { control }, loadedPeople }: FormFieldProps<Out>) {
  const [date, startTime, participants, agendaItems] = useWatch({
    control,
    name: ['date', 'startTime', 'participants', 'agendaItems'],
  });
  const unknownIds = participants.filter((id) => !loadedPeople.some(({ _id }) => _id === id));
  // Sends no request before there is an item to assign.
  const fetchedUsers = useUsersByIds(agendaItems?.length > 0 ? unknownIds.slice(0, MAX_IDS) : []).data?.data ?? [];
  return (
    <FormField control={control} name="agendaItems">
      {({ value, onChange, error }) => (
        <AgendaField
          value={value ?? []}
          onChange={onChange}
          error={error}
          startTime={toInstant(date, startTime)}
          people={assigneeOptions([...loadedPeople, ...fetchedUsers])}
        />
      )}
    </FormField>
  );
}
