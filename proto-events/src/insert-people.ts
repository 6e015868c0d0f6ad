import type { UserSummary } from './people.ts';

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the response with whole users in place of references, so that an item looks the same in a list as on its own.
 * A response without `people` is returned as it is.
 */
export function insertPeople(response: unknown): unknown {
  if (!isRecord(response) || !Array.isArray(response.people)) return response;
  const { people, ...content } = response;
  const usersById = new Map(people.map((user: UserSummary) => [user._id, user]));
  return insertUsers(content, usersById);
}

/** Replaces every reference to one of the users, with the fields that the reference has besides. */
export function insertUsers(value: unknown, usersById: ReadonlyMap<string, UserSummary>): unknown {
  if (Array.isArray(value)) return value.map((item) => insertUsers(item, usersById));
  if (!isRecord(value)) return value;
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, insertUsers(field, usersById)]),
  );
  const user = typeof value._id === 'string' ? usersById.get(value._id) : undefined;
  return user ? { ...user, ...fields } : fields;
}
