import { useEffect, useState } from 'react';
import { conflictOf } from '../api/conflict.ts';

/** A form that can be filled again. */
export type Refillable<Values> = {
  formState: { isDirty: boolean; isSubmitting: boolean };
  reset: (values: Values, options?: { keepDirtyValues?: boolean; keepDirty?: boolean }) => void;
};

/**
 * The resource that a form of several fields was filled from, whose version goes with the save, and what somebody else saved
 * meanwhile. `EditNotices` tells of them.
 */
export function useBase<Resource extends { version: number }, Values>(
  loaded: Resource,
  valuesOf: (resource: Resource) => Values,
) {
  const [base, standOn] = useState(loaded);
  const [theirs, setTheirs] = useState<Resource>();
  return {
    base,
    theirs,
    standOn,
    valuesOf,
    /** Whether the save failed for that reason. Only what was typed stands against theirs then; what was not touched is theirs. */
    meet(error: unknown, form: Refillable<Values>): boolean {
      const current = conflictOf<Resource>(error);
      if (!current) return false;
      form.reset(valuesOf(current), { keepDirtyValues: true });
      standOn(current);
      setTheirs(current);
      return true;
    },
    /** What was typed before the base was saved has come back: the same choice. */
    meetBase: () => setTheirs(base),
    /** What was typed stays; the next save stands on theirs. */
    keepMine: () => setTheirs(undefined),
    takeTheirs(form: Refillable<Values>): void {
      form.reset(valuesOf(base));
      setTheirs(undefined);
    },
  };
}

type Base<Resource extends { version: number }, Values> = ReturnType<typeof useBase<Resource, Values>>;

/**
 * Follows what others save for as long as nothing is typed; from then on a save of theirs is a conflict that this one meets. What reads
 * otherwise by the same version, such as a department under another name, stands against nothing that was typed.
 */
export function useFollowing<Resource extends { version: number }, Values>(
  loaded: Resource,
  { base, standOn, valuesOf }: Base<Resource, Values>,
  { formState, reset }: Refillable<Values>,
): void {
  const isNewer = loaded.version > base.version && !formState.isDirty;
  const isRenamed = loaded.version === base.version && loaded !== base && !readsAlike(valuesOf(loaded), valuesOf(base));
  const isFollowing = (isNewer || isRenamed) && !formState.isSubmitting;
  useEffect(() => {
    if (!isFollowing) return;
    reset(valuesOf(loaded), { keepDirtyValues: true, keepDirty: true });
    standOn(loaded);
  }, [isFollowing, loaded, reset, valuesOf, standOn]);
}

/** Whether a form holds the same of two. */
export const readsAlike = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
