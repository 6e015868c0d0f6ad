import { MAX_DECISIONS } from '@atrium/proto-events/http/meetings/closing';
import { X } from 'lucide-react';
import { styled } from 'styled-components';
import { type Day, dayOfDate } from '#lib/time/day.ts';
import type { Option } from '#ui/fields/option.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { theme } from '#ui/theme.ts';
import { DatePicker } from '#ui/times/date-picker.tsx';
import { RowsField, useRows } from '../form/rows-field.tsx';
import { UserSelect } from '../form/user-select.tsx';

/** `assignedTo` is a user id or empty. */
export type DecisionValues = { text: string; assignedTo: string; dueDate: Day | '' };

export const EMPTY_DECISION: DecisionValues = { text: '', assignedTo: '', dueDate: '' };

type Props = {
  value: readonly DecisionValues[];
  onChange: (value: DecisionValues[]) => void;
  people: readonly Option[];
  error: string | undefined;
};

/** Rows without text are ignored. */
export function DecisionsField({ value, onChange, people, error }: Props) {
  const { box, change, add, remove } = useRows({ value, onChange, emptyRow: EMPTY_DECISION });
  return (
    <RowsField
      box={box}
      legend="Decisions"
      error={error}
      gap={theme.space[4]}
      add={value.length < MAX_DECISIONS ? { label: 'Add decision', run: add } : undefined}
    >
      {value.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity; rows are only appended or removed
        <Row key={index}>
          <TextField
            label={`Decision ${index + 1}`}
            value={row.text}
            onChange={(text) => change(index, { text })}
            maxLength={200}
          />
          <UserSelect
            label="Assigned to"
            value={row.assignedTo}
            onChange={(assignedTo) => change(index, { assignedTo })}
            options={people}
          />
          <DatePicker
            label="Due"
            value={row.dueDate}
            onChange={(dueDate) => change(index, { dueDate })}
            firstDay={dayOfDate(new Date())}
          />
          <RemoveCell>
            <IconButton label={`Remove decision ${index + 1}`} onPress={() => remove(index)}>
              <X />
            </IconButton>
          </RemoveCell>
        </Row>
      ))}
    </RowsField>
  );
}

const Row = styled.li`
  display: grid;
  grid-template-columns: minmax(0, 1fr) 168px 168px 32px;
  gap: ${theme.space[3]};
  align-items: start;
  ${theme.media.small} {
    grid-template-columns: minmax(0, 1fr) 44px;
    padding-bottom: ${theme.space[4]};
    border-bottom: 1px solid ${theme.color.line};
    > :nth-child(-n + 2) {
      grid-column: 1 / -1;
    }
  }
`;

const RemoveCell = styled.span`
  align-self: end;
`;
