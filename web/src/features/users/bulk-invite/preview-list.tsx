import { useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { SegmentedControl } from '#ui/segmented-control.tsx';
import { theme } from '#ui/theme.ts';
import { type CheckedRow, isReady } from './check-rows.ts';
import { PreviewRow } from './preview-row.tsx';
import { RowFields } from './row-fields.tsx';
import type { KnownDepartment } from './row-values.ts';
import { countUnknown, type RowActions } from './use-row-actions.ts';

type Props = {
  checked: readonly CheckedRow[];
  departments: readonly KnownDepartment[];
  actions: RowActions;
  isDisabled: boolean;
};

type Shown = 'all' | 'problems';

/** The people of the list; one at a time can be edited. */
export function PreviewList({ checked, departments, actions, isDisabled }: Props) {
  const [shown, setShown] = useState<Shown>('all');
  const [editedId, setEditedId] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  const focusRow = useRowFocus(list);
  const problems = checked.filter((one) => !isReady(one));
  const isFiltered = shown === 'problems' && problems.length > 0;
  const visible = isFiltered ? checked.filter((one) => !isReady(one) || one.row.id === editedId) : checked;
  const rows = checked.map(({ row }) => row);
  /** The next row with a problem is likely to be corrected next. */
  const finish = (id: string) => {
    const after = problems.filter(({ row }) => row.id !== id);
    const index = rows.findIndex((row) => row.id === id);
    const next = after.find(({ row }) => rows.indexOf(row) > index) ?? after[0];
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
          <SegmentedControl<Shown>
            label="People shown"
            items={[
              { key: 'all', label: `All (${checked.length})` },
              { key: 'problems', label: `Needs attention (${problems.length})` },
            ]}
            selected={shown}
            onSelect={setShown}
          />
        </div>
      )}
      <Rows ref={list} aria-label="People to invite">
        {visible.map((one) => (
          <li key={one.row.id} data-row={one.row.id}>
            {one.row.id === editedId && !isDisabled ? (
              <RowFields
                checked={one}
                departments={departments}
                shared={{
                  role: countUnknown(rows, { row: one.row, field: 'role', departments }),
                  department: countUnknown(rows, { row: one.row, field: 'department', departments }),
                }}
                onEdit={(field, value) => actions.edit(one.row.id, field, value)}
                onDone={() => finish(one.row.id)}
              />
            ) : (
              <PreviewRow
                checked={one}
                isDisabled={isDisabled}
                onEdit={() => setEditedId(one.row.id)}
                onRemove={() => remove(one.row.id)}
              />
            )}
          </li>
        ))}
      </Rows>
    </>
  );
}

/** Moves the focus to a row's first button after rendering, because the pressed button is unmounted. */
function useRowFocus(list: React.RefObject<HTMLUListElement | null>) {
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const row = [...(list.current?.children ?? [])].find((one) => one.getAttribute('data-row') === wanted.current);
    wanted.current = undefined;
    row?.querySelector('button')?.focus();
  });
  return (id: string | undefined) => {
    wanted.current = id;
  };
}

const Rows = styled.ul`
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.md};
  overflow: hidden;
  flex: none;
  > li + li {
    border-top: 1px solid ${theme.color.line};
  }
`;
