import {
  type Dispatch,
  type SetStateAction,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { FieldPath, FieldValues, PathValue, UseFormReturn } from 'react-hook-form';
import { isRecord } from '../is-record.ts';
import { currentUserId, useCurrentUser } from '../session/session.ts';
import { deleteDraft, getDraft, onDraftsChange, saveDraft } from './drafts.ts';
import { type Merged, mergeValue, type Sides } from './field-merge.ts';

export type StoredDraft = {
  isRestored: boolean;
  discard: () => void;
};

type Fields = Record<string, unknown>;
type SavedFields = { typed: Fields; from: Fields };

type DraftOptions = {
  onConflict?: () => void;
  merge?: (name: string, sides: Sides<unknown>) => Merged<unknown>;
};

const mergeField = (_name: string, sides: Sides<unknown>) => mergeValue(sides);

/**
 * Stores the changed fields of a form on the device, and restores them when the same user opens the form again after a
 * reload, a crash, or the end of a session. Closing the form deletes them. A key names the content: `project:new`,
 * `meeting:<id>:notes`; without a key, nothing is stored. Do not use it for a form with a password. Changes that others
 * saved are merged; `onConflict` runs if they changed the same value, which must not be overwritten silently.
 */
export function useStoredDraft<Values extends FieldValues, Context, Out>(
  form: UseFormReturn<Values, Context, Out>,
  draftKey: string | undefined,
  { onConflict, merge = mergeField }: DraftOptions = {},
): StoredDraft {
  const owner = useCurrentUser()._id;
  const [storedDraft] = useState(() => (draftKey === undefined ? null : parseDraft(getDraft(draftKey))));
  const [isRestored, setRestored] = useState(storedDraft !== null);
  const { subscribe, setValue, reset, formState } = form;
  const [defaults] = useState(formState.defaultValues ?? {});
  const savedFields = useRef(storedDraft);
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
    if (draftKey === undefined) return undefined;
    const stop = subscribe({
      formState: { values: true },
      callback: ({ values, defaultValues }) => {
        savedFields.current = changedFields(values, defaultValues ?? {}, savedFields.current);
        if (savedFields.current) return saveDraft(owner, draftKey, savedFields.current);
        deleteDraft(owner, draftKey);
        setRestored(false);
      },
    });
    if (storedDraft) restore(storedDraft);
    return stop;
  }, [storedDraft, owner, draftKey, subscribe]);

  // A layout effect, so that it runs while `suspendDraftDeletion` is active.
  useLayoutEffect(() => {
    if (draftKey === undefined) return undefined;
    // The same form has closed in another tab: this tab's input is still unsaved.
    const stop = onDraftsChange(() => {
      if (savedFields.current && getDraft(draftKey, owner) === undefined)
        saveDraft(owner, draftKey, savedFields.current);
    });
    return () => {
      stop();
      // A user who was signed out did not close the form.
      if (currentUserId() === owner) deleteDraft(owner, draftKey);
    };
  }, [owner, draftKey]);

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

/** Keeps the original value of a field until the field is changed back, even if others save a different value. */
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

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

type DraftStateOptions<T> = {
  draftKey: string;
  /** Must be a stable reference. */
  initial: T;
  parse: (stored: unknown) => T | undefined;
};

/** Stores a draft outside the form library. If the form is open in two tabs, each tab deletes only its own draft. */
export function useDraftState<T>({ draftKey, initial, parse }: DraftStateOptions<T>) {
  const [owner] = useState(currentUserId);
  const [storedDraft] = useState(() => parse(getDraft(draftKey, owner)));
  const [value, setValue] = useState(storedDraft ?? initial);
  const [isRestored, setRestored] = useState(storedDraft !== undefined);
  const isChanged = JSON.stringify(value) !== JSON.stringify(initial);
  const storedText = useRef(storedDraft === undefined ? undefined : JSON.stringify(storedDraft));
  useEffect(() => {
    const text = JSON.stringify(value);
    if (isChanged && storedText.current !== text) saveDraft(owner, draftKey, value);
    if (!isChanged) deleteOwnDraft(owner, draftKey, storedText.current);
    storedText.current = isChanged ? text : undefined;
  }, [owner, draftKey, value, isChanged]);
  useLayoutEffect(() => {
    return () => {
      // A user whose session ended did not close the form.
      if (currentUserId() === owner) deleteOwnDraft(owner, draftKey, storedText.current);
    };
  }, [owner, draftKey]);
  const draft: StoredDraft = {
    isRestored: isRestored && isChanged,
    discard: () => {
      setValue(initial);
      setRestored(false);
    },
  };
  const state: [T, Dispatch<SetStateAction<T>>, StoredDraft, boolean] = [value, setValue, draft, isChanged];
  return state;
}

function deleteOwnDraft(owner: string | null, draftKey: string, storedText: string | undefined): void {
  if (storedText !== undefined && JSON.stringify(getDraft(draftKey, owner)) === storedText)
    deleteDraft(owner, draftKey);
}

type Edit = string | ((previous: string) => string);

export function useStoredText(draftKey: string): [string, (text: Edit) => void] {
  const owner = useCurrentUser()._id;
  const text = useSyncExternalStore(onDraftsChange, () => readText(draftKey, owner));
  const write = useCallback(
    (edit: Edit) => {
      const next = typeof edit === 'string' ? edit : edit(readText(draftKey, owner));
      if (next === '') deleteDraft(owner, draftKey);
      else saveDraft(owner, draftKey, next);
    },
    [owner, draftKey],
  );
  return [text, write];
}

function readText(draftKey: string, owner: string): string {
  const draft = getDraft(draftKey, owner);
  return typeof draft === 'string' ? draft : '';
}
