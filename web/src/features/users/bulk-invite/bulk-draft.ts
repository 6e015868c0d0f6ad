import type { SetStateAction } from 'react';
import { useDraftState } from '#lib/forms/use-draft-state.ts';
import { isRecord } from '#lib/is-record.ts';
import { BULK_PLACE } from './bulk-place.ts';
import { type InviteRow, parseRow } from './invite-row.ts';

/** Unsent input, stored on the device. Links of sent invitations are never included. */
export type BulkDraft = {
  text: string;
  rows: readonly InviteRow[];
  /** True if rows were read from a file whose encoding is not confirmed. */
  isEncodingGuessed: boolean;
  /** For rows without a role or a department. */
  defaults: { role: string; department: string };
};

const INITIAL: BulkDraft = {
  text: '',
  rows: [],
  isEncodingGuessed: false,
  defaults: { role: 'member', department: '' },
};

/** Defaults apply to rows: without rows and text there is no draft to keep. */
export function useBulkDraft() {
  const [draft, setDraft, stored, isChanged] = useDraftState({ place: BULK_PLACE, initial: INITIAL, parse });
  const change = (next: SetStateAction<BulkDraft>) =>
    setDraft((before) => {
      const after = typeof next === 'function' ? next(before) : next;
      return after.text === '' && after.rows.length === 0 ? INITIAL : after;
    });
  return { draft, setDraft: change, stored, isChanged };
}

function parse(stored: unknown): BulkDraft | undefined {
  if (!isRecord(stored) || typeof stored.text !== 'string' || !Array.isArray(stored.rows)) return undefined;
  const { role, department } = isRecord(stored.defaults) ? stored.defaults : INITIAL.defaults;
  return {
    text: stored.text,
    rows: stored.rows.map(parseRow).filter((row) => row !== undefined),
    isEncodingGuessed: stored.isEncodingGuessed === true,
    defaults: { role: String(role), department: String(department) },
  };
}
