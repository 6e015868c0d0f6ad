import { isDeepStrictEqual } from 'node:util';
import type { OwnPreferences, updatePreferencesBody } from '@atrium/proto-events/http/users';
import { type ChosenPreferences, resolvePreferences } from '@atrium/proto-events/preferences';
import { assertVersion, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { appendUserUpdated } from './append-user-events.ts';
import { presentPreferences } from './present-user.ts';
import { changeUser, findUser, lockUser, type UserRow } from './user-repository.ts';

type PreferencesBody = Omit<z.output<typeof updatePreferencesBody>, 'version'>;

export async function getPreferences({ db }: Deps, { userId }: Caller): Promise<OwnPreferences> {
  const row = await findUser(db, userId);
  if (!row) throw notFound('User');
  return presentPreferences(row);
}

export async function updatePreferences(
  { db }: Deps,
  { userId }: Caller,
  { version, ...body }: z.output<typeof updatePreferencesBody>,
): Promise<OwnPreferences> {
  const after = await changePreferences(db, userId, {
    version,
    label: 'your preferences',
    present: presentPreferences,
    change: (before) => changedPreferences(before, body),
  });
  return presentPreferences(after);
}

type Change = {
  version?: number | undefined;
  /** Names the settings in the error about a stale version, which contains what `present` returns. */
  label: string;
  present: (row: UserRow) => object;
  change: (before: UserRow) => ChosenPreferences;
};

/** Changes some of what a user has chosen. Throws `stale_version`. */
export async function changePreferences(
  db: Deps['db'],
  userId: string,
  { version, label, present, change }: Change,
): Promise<UserRow> {
  return db.transaction(async (tx) => {
    const before = await lockUser(tx, userId);
    if (!before) throw notFound('User');
    assertVersion(before, { version, label, present: () => present(before) });
    return applyPreferences(tx, before, change(before));
  });
}

/** Changes some of what the user of a locked row has chosen. */
export async function applyPreferences(tx: Queryable, before: UserRow, change: ChosenPreferences): Promise<UserRow> {
  const preferences: ChosenPreferences = { ...before.preferences, ...change };
  if (isDeepStrictEqual(preferences, before.preferences)) return before;
  const after = await changeUser(tx, before.id, { preferences });
  await appendUserUpdated(tx, after, { columns: ['preferences'], actorId: before.id });
  return after;
}

/** Omits values equal to the current ones, so that users who never changed them follow later defaults. */
function changedPreferences(before: UserRow, { workingHours, reminderMinutes }: PreferencesBody): ChosenPreferences {
  const current = resolvePreferences(before);
  return {
    ...(workingHours !== undefined && !isDeepStrictEqual(workingHours, current.workingHours) && { workingHours }),
    ...(reminderMinutes !== undefined && reminderMinutes !== current.reminderMinutes && { reminderMinutes }),
  };
}
