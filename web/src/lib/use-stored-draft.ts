import { useEffect, useState } from 'react';
import type { FieldPath, FieldValues, PathValue, UseFormReturn } from 'react-hook-form';
import { draftAt, forgetDraft, keepDraft } from './drafts.ts';
import { presentPerson } from './session.ts';
import { useCurrentUser } from './use-session.ts';

export type StoredDraft = {
  /** What was typed before a reload stands in the form again: say so, with `DraftNotice`. */
  isRestored: boolean;
  /** Back to what the form was filled from. */
  discard: () => void;
};

type Fields = Record<string, unknown>;

/**
 * Keeps on the device what differs from a form's defaults, and puts it back when the form at that place is opened again: after a
 * reload, a crash or the end of a session, for the person who typed it alone. It is forgotten as the form goes, saved or discarded.
 * Places are named for what they hold: `project:new`, `meeting:<id>:notes`. Never for a form with a password.
 */
export function useStoredDraft<Values extends FieldValues, Context, Out>(
  form: UseFormReturn<Values, Context, Out>,
  place: string,
): StoredDraft {
  const owner = useCurrentUser()._id;
  const [found] = useState(() => fieldsOf(draftAt(place)));
  const [isRestored, setRestored] = useState(found !== null);
  const { subscribe, setValue, reset } = form;

  useEffect(() => {
    const keep = (values: Values, defaults: object) => {
      const typed = changedFields(values, defaults);
      if (Object.keys(typed).length > 0) keepDraft(owner, place, typed);
      else forgetDraft(owner, place);
    };
    const stop = subscribe({
      formState: { values: true },
      callback: ({ values, defaultValues }) => keep(values, defaultValues ?? {}),
    });
    // What a form of another version kept under a name that this one lacks does no harm.
    for (const [name, value] of Object.entries(found ?? {}))
      setValue(name as FieldPath<Values>, value as PathValue<Values, FieldPath<Values>>, { shouldDirty: true });
    return () => {
      stop();
      // Who was signed out did not leave the form.
      if (presentPerson() === owner) forgetDraft(owner, place);
    };
  }, [found, owner, place, setValue, subscribe]);

  const discard = () => {
    reset();
    setRestored(false);
  };
  return { isRestored, discard };
}

function fieldsOf(draft: unknown): Fields | null {
  return typeof draft === 'object' && draft !== null ? { ...draft } : null;
}

function changedFields(values: object, defaults: object): Fields {
  const before = new Map(Object.entries(defaults).map(([name, value]) => [name, JSON.stringify(value)]));
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== before.get(name)),
  );
}
