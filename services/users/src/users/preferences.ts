import { isDeepStrictEqual } from 'node:util';
import type { OwnPreferences, updatePreferencesBody } from '@atrium/proto-events/http/users';
import { type ChosenPreferences, resolvePreferences } from '@atrium/proto-events/preferences';
import { assertVersion, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
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
  return db.transaction(async (tx) => {
    const before = await lockUser(tx, userId);
    if (!before) throw notFound('User');
    assertVersion(before, { version, label: 'your preferences', present: () => presentPreferences(before) });
    const preferences: ChosenPreferences = { ...before.preferences, ...changedPreferences(before, body) };
    if (isDeepStrictEqual(preferences, before.preferences)) return presentPreferences(before);
    const after = await changeUser(tx, userId, { preferences });
    await appendUserUpdated(tx, after, { columns: ['preferences'], actorId: userId });
    return presentPreferences(after);
  });
}

/** Omits values equal to the current ones, so that users who never changed them follow later defaults. */
function changedPreferences(
  before: UserRow,
  { workingHours, reminderMinutes, taskEmails }: PreferencesBody,
): ChosenPreferences {
  const current = resolvePreferences(before);
  return {
    ...(workingHours !== undefined && !isDeepStrictEqual(workingHours, current.workingHours) && { workingHours }),
    ...(reminderMinutes !== undefined && reminderMinutes !== current.reminderMinutes && { reminderMinutes }),
    ...(taskEmails !== undefined && taskEmails !== current.taskEmails && { taskEmails }),
  };
}
