import type { Dispatch, SetStateAction } from 'react';
import { z } from 'zod';
import { useDraftState } from '#lib/forms/use-stored-draft.ts';
import { newUuid } from '#lib/new-uuid.ts';
import type { CheckedRow } from './check-rows.ts';
import { BULK_DRAFT_KEY } from './draft-key.ts';
import {
  type Attempt,
  FIELDS,
  findDepartment,
  type InviteRow,
  inviteRow,
  type KnownDepartment,
  type ListedPerson,
  parseRole,
  type RowFailure,
} from './invite-row.ts';
import type { Outgoing } from './use-send-invitations.ts';

const defaultValues = z.object({ role: z.string(), department: z.string() });

/** Unsent input, stored on the device. Links of sent invitations are never included. */
const bulkDraft = z.object({
  text: z.string(),
  rows: z.array(inviteRow.optional().catch(undefined)).transform((rows) => rows.filter((row) => row !== undefined)),
  isEncodingGuessed: z.boolean().catch(false),
  defaults: defaultValues.catch(() => INITIAL.defaults),
});
type BulkDraft = Readonly<Omit<z.infer<typeof bulkDraft>, 'rows'>> & { rows: readonly InviteRow[] };

const INITIAL: BulkDraft = {
  text: '',
  rows: [],
  isEncodingGuessed: false,
  defaults: { role: 'member', department: '' },
};

export function useBulkDraft() {
  const [draft, setDraft, stored, isChanged] = useDraftState({
    draftKey: BULK_DRAFT_KEY,
    initial: INITIAL,
    parse: (value) => bulkDraft.safeParse(value).data,
  });
  const change = (next: SetStateAction<BulkDraft>) =>
    setDraft((before) => {
      const after = typeof next === 'function' ? next(before) : next;
      return after.text === '' && after.rows.length === 0 ? INITIAL : after;
    });
  return { draft, setDraft: change, stored, isChanged };
}

export type RowActions = ReturnType<typeof useRowActions>;

/** Returns updates of the list, each based on the latest state, because several responses may arrive at once. */
export function useRowActions(setDraft: Dispatch<SetStateAction<BulkDraft>>, departments: readonly KnownDepartment[]) {
  const setRows = (change: (rows: readonly InviteRow[]) => readonly InviteRow[]) =>
    setDraft((draft) => ({ ...draft, rows: change(draft.rows) }));
  const setRow = (id: string, change: (row: InviteRow) => InviteRow) =>
    setRows((rows) => rows.map((row) => (row.id === id ? change(row) : row)));
  return {
    edit: (id: string, field: keyof ListedPerson, value: string) =>
      setRows((rows) => {
        const before = rows.find((row) => row.id === id)?.[field];
        const isShared = before !== undefined && isUnknown(field, before, departments);
        return rows.map((row) =>
          row.id === id || (isShared && row[field] === before) ? withValue(row, field, value) : row,
        );
      }),
    remove: (id: string) => setRows((rows) => rows.filter((row) => row.id !== id)),
    add: (added: readonly InviteRow[]) => setRows((rows) => [...rows, ...added]),
    decodeAgain: (before: readonly InviteRow[], after: readonly InviteRow[]) =>
      setRows((rows) =>
        rows.map((row) => {
          const index = before.findIndex(({ id }) => id === row.id);
          const original = before[index];
          const decodedRow = after[index];
          return original && decodedRow && FIELDS.every((field) => row[field] === original[field])
            ? { ...decodedRow, attempt: row.attempt }
            : row;
        }),
      ),
    fail: (id: string, failure: RowFailure) => setRow(id, (row) => ({ ...row, failure, attempt: undefined })),
    /** Records the requests about to be sent, so that a retry after a lost response or a reload has the same key. */
    begin: (ready: readonly CheckedRow[]): Outgoing[] => {
      const outgoing = ready.flatMap(({ row, body }) => (body ? [{ id: row.id, body, ...toAttempt(row, body) }] : []));
      const attempts = new Map(outgoing.map(({ id, content, key }) => [id, { content, key }]));
      setRows((rows) =>
        rows.map((row) => (attempts.has(row.id) ? { ...row, failure: undefined, attempt: attempts.get(row.id) } : row)),
      );
      return outgoing;
    },
  };
}

export function countUnknown(
  rows: readonly InviteRow[],
  {
    row,
    field,
    departments,
  }: { row: InviteRow; field: 'role' | 'department'; departments: readonly KnownDepartment[] },
): number {
  return isUnknown(field, row[field], departments) ? rows.filter((other) => other[field] === row[field]).length : 0;
}

function isUnknown(field: keyof ListedPerson, text: string, departments: readonly KnownDepartment[]): boolean {
  if (text === '') return false;
  if (field === 'role') return parseRole(text) === undefined;
  return field === 'department' && findDepartment(text, departments) === undefined;
}

const withValue = (row: InviteRow, field: keyof ListedPerson, value: string): InviteRow => ({
  ...row,
  [field]: value,
  failure: undefined,
  isNameGuessed: row.isNameGuessed && field !== 'firstName' && field !== 'lastName',
});

function toAttempt({ attempt }: InviteRow, body: Outgoing['body']): Attempt {
  const content = JSON.stringify(body);
  return attempt?.content === content ? attempt : { content, key: newUuid() };
}
