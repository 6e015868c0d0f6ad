import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { FieldPath, FieldValues, PathValue, UseFormReturn } from 'react-hook-form';
import { isRecord } from '../is-record.ts';
import { currentUserId } from '../session/session.ts';
import { useCurrentUser } from '../session/use-session.ts';
import { deleteDraft, getDraft, onDraftsChange, saveDraft } from './drafts.ts';
import { type Merged, mergeValue, type Sides } from './merge-values.ts';

export type StoredDraft = {
  /** The form contains a restored draft: show `DraftNotice`. */
  isRestored: boolean;
  /** Resets the form to its defaults. */
  discard: () => void;
};

type Fields = Record<string, unknown>;
/** The changed fields, and the value that each was changed from. */
type SavedFields = { typed: Fields; from: Fields };

type Options = {
  onConflict?: () => void;
  merge?: (name: string, sides: Sides<unknown>) => Merged<unknown>;
};

const mergeField = (_name: string, sides: Sides<unknown>) => mergeValue(sides);

/**
 * Stores what differs from a form's defaults on the device, and restores it when the same form is opened again by the
 * same user after a reload, a crash, or the end of a session. It is deleted when the form closes. Places are named for
 * their content: `project:new`, `meeting:<id>:notes`. Never for a form with a password; without a place nothing is
 * stored. Saves of others are merged; `onConflict` runs if both changed the same value, which must not be overwritten
 * silently.
 */
export function useStoredDraft<Values extends FieldValues, Context, Out>(
  form: UseFormReturn<Values, Context, Out>,
  place: string | undefined,
  { onConflict, merge = mergeField }: Options = {},
): StoredDraft {
  const owner = useCurrentUser()._id;
  const [found] = useState(() => (place === undefined ? null : parseDraft(getDraft(place))));
  const [isRestored, setRestored] = useState(found !== null);
  const { subscribe, setValue, reset, formState } = form;
  const [defaults] = useState(formState.defaultValues ?? {});
  const saved = useRef(found);
  const restore = useEffectEvent(({ typed, from }: SavedFields) => {
    const current = new Map<string, unknown>(Object.entries(defaults));
    let hasConflict = false;
    // Unknown names from an older version of the form are harmless.
    for (const [name, mine] of Object.entries(typed)) {
      const merged = merge(name, { base: from[name], mine, theirs: current.get(name) });
      if (merged.isConflict) hasConflict = true;
      setValue(name as FieldPath<Values>, merged.value as PathValue<Values, FieldPath<Values>>, { shouldDirty: true });
    }
    if (hasConflict) onConflict?.();
  });

  useEffect(() => {
    if (place === undefined) return undefined;
    const stop = subscribe({
      formState: { values: true },
      callback: ({ values, defaultValues }) => {
        saved.current = changedFields(values, defaultValues ?? {}, saved.current);
        if (saved.current) return saveDraft(owner, place, saved.current);
        deleteDraft(owner, place);
        setRestored(false);
      },
    });
    if (found) restore(found);
    return stop;
  }, [found, owner, place, subscribe]);

  // A layout effect, so that it runs while `suspendDraftDeletion` is active.
  useLayoutEffect(() => {
    if (place === undefined) return undefined;
    // The same form has closed in another tab: this tab's input is still unsaved.
    const stop = onDraftsChange(() => {
      if (saved.current && getDraft(place, owner) === undefined) saveDraft(owner, place, saved.current);
    });
    return () => {
      stop();
      // A user who was signed out did not close the form.
      if (currentUserId() === owner) deleteDraft(owner, place);
    };
  }, [owner, place]);

  const discard = () => {
    reset();
    setRestored(false);
  };
  return { isRestored, discard };
}

function parseDraft(draft: unknown): SavedFields | null {
  if (!isRecord(draft) || !isRecord(draft.typed) || !isRecord(draft.from)) return null;
  return { typed: draft.typed, from: draft.from };
}

/** The original value of a field is kept until the field is changed back, whatever others save in the meantime. */
function changedFields(values: object, defaults: object, previous: SavedFields | null): SavedFields | null {
  const current = new Map(Object.entries(defaults));
  const typed = Object.entries(values).filter(([name, value]) => !isSameJson(value, current.get(name)));
  if (typed.length === 0) return null;
  const from = typed.map(([name]) => [
    name,
    previous && name in previous.typed ? previous.from[name] : current.get(name),
  ]);
  return { typed: Object.fromEntries(typed), from: Object.fromEntries(from) };
}

function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
