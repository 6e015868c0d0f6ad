import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { FieldPath, FieldValues, PathValue, UseFormReturn } from 'react-hook-form';
import { isRecord } from '../is-record.ts';
import { currentUserId } from '../session/session.ts';
import { useCurrentUser } from '../session/use-session.ts';
import { getDraft, deleteDraft, saveDraft, onDraftsChange } from './drafts.ts';
import { type Merged, mergeValue, type Sides } from './merge-values.ts';

export type StoredDraft = {
  /** What was typed before a reload stands in the form again: say so, with `DraftNotice`. */
  isRestored: boolean;
  /** Back to what the form was filled from. */
  discard: () => void;
};

type Fields = Record<string, unknown>;
/** The fields that were changed, and what each was changed from. */
type SavedFields = { typed: Fields; from: Fields };

type Options = {
  onConflict?: () => void;
  merge?: (name: string, sides: Sides<unknown>) => Merged<unknown>;
};

const mergeField = (_name: string, sides: Sides<unknown>) => mergeValue(sides);

/**
 * Keeps on the device what differs from a form's defaults, and puts it back when the form at that place is opened again: after a
 * reload, a crash or the end of a session, for the person who typed it alone. It is forgotten as the form goes, saved or discarded.
 * Places are named for what they hold: `project:new`, `meeting:<id>:notes`. Never for a form with a password; without a place nothing is kept.
 * What others saved since is merged with it; `onOvertaken` if both changed the same value, which must not overwrite theirs unasked.
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
    // A name that an older version of the form kept is unknown here, and harmless.
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

  // As the screen goes and not after it, while a failed one's drafts are spared.
  useLayoutEffect(() => {
    if (place === undefined) return undefined;
    // The same form has gone in another tab: what stands in this one is not saved for that.
    const stop = onDraftsChange(() => {
      if (saved.current && getDraft(place, owner) === undefined) saveDraft(owner, place, saved.current);
    });
    return () => {
      stop();
      // Who was signed out did not leave the form.
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

/** What a field was changed from stays until it is changed back, whatever others save meanwhile. */
function changedFields(values: object, defaults: object, previous: SavedFields | null): SavedFields | null {
  const current = new Map(Object.entries(defaults));
  const typed = Object.entries(values).filter(([name, value]) => !isSameJson(value, current.get(name)));
  if (typed.length === 0) return null;
  const from = typed.map(([name]) => [name, previous && name in previous.typed ? previous.from[name] : current.get(name)]);
  return { typed: Object.fromEntries(typed), from: Object.fromEntries(from) };
}

function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
