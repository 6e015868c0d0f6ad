import { CircleAlert, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { roleLabel } from '#entities/user/user-labels.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Box, DividedList, Inline, Text } from '#ui/layout/primitives.ts';
import { captionStyles } from '#ui/mixins.ts';
import { SegmentedControl } from '#ui/segmented-control.tsx';
import { theme } from '#ui/theme.ts';
import { countUnknown, type RowActions } from './bulk-draft.ts';
import { type CheckedRow, isReady } from './check-rows.ts';
import type { KnownDepartment } from './invite-row.ts';
import { RowFields } from './row-fields.tsx';

type Props = {
  checked: readonly CheckedRow[];
  departments: readonly KnownDepartment[];
  actions: RowActions;
  isDisabled: boolean;
};

type PreviewFilter = 'all' | 'problems';

export function PreviewList({ checked, departments, actions, isDisabled }: Props) {
  const [filter, setFilter] = useState<PreviewFilter>('all');
  const [editedId, setEditedId] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  const focusRow = useRowFocus(list);
  const problems = checked.filter((checkedRow) => !isReady(checkedRow));
  const isFiltered = filter === 'problems' && problems.length > 0;
  const visible = isFiltered
    ? checked.filter((checkedRow) => !isReady(checkedRow) || checkedRow.row.id === editedId)
    : checked;
  const rows = checked.map(({ row }) => row);
  const finish = (id: string) => {
    const remainingProblems = problems.filter(({ row }) => row.id !== id);
    const index = rows.findIndex((row) => row.id === id);
    const next = remainingProblems.find(({ row }) => rows.indexOf(row) > index) ?? remainingProblems[0];
    setEditedId(undefined);
    focusRow(next?.row.id ?? id);
  };
  const remove = (id: string) => {
    const index = visible.findIndex(({ row }) => row.id === id);
    focusRow((visible[index + 1] ?? visible[index - 1])?.row.id);
    actions.remove(id);
  };
  return (
    <>
      {problems.length > 0 && problems.length < checked.length && (
        <div>
          <SegmentedControl<PreviewFilter>
            label="People shown"
            items={[
              { key: 'all', label: `All (${checked.length})` },
              { key: 'problems', label: `Needs attention (${problems.length})` },
            ]}
            selected={filter}
            onSelect={setFilter}
          />
        </div>
      )}
      <Rows ref={list} aria-label="People to invite">
        {visible.map((checkedRow) => (
          <li key={checkedRow.row.id} data-row={checkedRow.row.id}>
            {checkedRow.row.id === editedId && !isDisabled ? (
              <RowFields
                checked={checkedRow}
                departments={departments}
                affectedRows={{
                  role: countUnknown(rows, { row: checkedRow.row, field: 'role', departments }),
                  department: countUnknown(rows, { row: checkedRow.row, field: 'department', departments }),
                }}
                onEdit={(field, value) => actions.edit(checkedRow.row.id, field, value)}
                onDone={() => finish(checkedRow.row.id)}
              />
            ) : (
              <PreviewRow
                checked={checkedRow}
                isDisabled={isDisabled}
                onEdit={() => setEditedId(checkedRow.row.id)}
                onRemove={() => remove(checkedRow.row.id)}
              />
            )}
          </li>
        ))}
      </Rows>
    </>
  );
}

/** Moves focus to a row's first button after rendering, because the pressed button is unmounted. */
function useRowFocus(list: React.RefObject<HTMLUListElement | null>) {
  const idToFocus = useRef<string>(undefined);
  useEffect(() => {
    if (idToFocus.current === undefined) return;
    const row = [...(list.current?.children ?? [])].find((item) => item.getAttribute('data-row') === idToFocus.current);
    idToFocus.current = undefined;
    row?.querySelector('button')?.focus();
  });
  return (id: string | undefined) => {
    idToFocus.current = id;
  };
}

const Rows = styled(DividedList)`
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.md};
  overflow: hidden;
  flex: none;
`;

type PreviewRowProps = { checked: CheckedRow; isDisabled: boolean; onEdit: () => void; onRemove: () => void };

function PreviewRow({ checked, isDisabled, onEdit, onRemove }: PreviewRowProps) {
  const { row, role, department, problems } = checked;
  const name = [row.firstName, row.lastName].filter(Boolean).join(' ');
  const label = row.email || name || 'this person';
  const errors = [...Object.values(problems), row.failure?.message].filter((error) => error !== undefined);
  return (
    <Line>
      <Box>
        <Text as="strong" $weight={500} $block dir="auto">
          {name || 'No name'}
        </Text>
        <Text $size="sm" $tone="text2" $block dir="auto">
          {row.email || 'No email'}
        </Text>
      </Box>
      <RoleAndDepartment>
        {role ? roleLabel(role) : row.role}
        <span dir="auto">{department?.name ?? 'No department'}</span>
      </RoleAndDepartment>
      <Inline $align="stretch">
        <IconButton label={`Edit ${label}`} onPress={onEdit} isDisabled={isDisabled}>
          <Pencil />
        </IconButton>
        <IconButton label={`Remove ${label}`} onPress={onRemove} isDisabled={isDisabled}>
          <Trash2 />
        </IconButton>
      </Inline>
      {errors.length > 0 && (
        <ErrorList>
          {errors.map((error) => (
            <li key={error}>
              <CircleAlert aria-hidden="true" />
              <span dir="auto">{error}</span>
            </li>
          ))}
        </ErrorList>
      )}
      {row.isNameGuessed && <NameHint>Name suggested from the email address</NameHint>}
    </Line>
  );
}

const Line = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) auto;
  align-items: center;
  gap: ${theme.space[1]} ${theme.space[4]};
  padding: ${theme.space[2]} ${theme.space[2]} ${theme.space[2]} ${theme.space[4]};
  overflow-wrap: anywhere;
  ${theme.media.small} {
    grid-template-columns: minmax(0, 1fr) auto;
    gap: ${theme.space[1]} ${theme.space[2]};
    padding: ${theme.space[2]} 0 ${theme.space[2]} ${theme.space[3]};
  }
`;

const RoleAndDepartment = styled.div`
  display: flex;
  flex-direction: column;
  ${captionStyles}
  ${theme.media.small} {
    grid-row: 2;
    grid-column: 1 / -1;
    flex-direction: row;
    flex-wrap: wrap;
    > span::before {
      content: '·';
      margin: 0 6px;
    }
  }
`;

const ErrorList = styled.ul`
  grid-column: 1 / -1;
  font: ${theme.text.sm};
  color: ${theme.color.danger};
  li {
    display: flex;
    gap: ${theme.space[2]};
  }
  svg {
    flex: none;
    width: 14px;
    height: 14px;
    margin-top: 2px;
  }
`;

const NameHint = styled.small`
  grid-column: 1 / -1;
  font: ${theme.text.sm};
  color: ${theme.color.text3};
`;
