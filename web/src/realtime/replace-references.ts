import type { Change } from '@atrium/proto-events/realtime';
import { isRecord } from '#lib/is-record.ts';
import { type Item, isItem } from './items.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A deleted user as the server presents it. */
export const deletedUser = (_id: string) => ({ _id, firstName: 'Deleted', lastName: 'user', deleted: true }) as const;

/** Fields of a user that belong to the user, and not to the resource that refers to the user. */
const USER_FIELDS = ['firstName', 'lastName', 'email', 'role', 'status', 'department', 'avatar', 'version'];

/**
 * Updates a user or a department wherever the response refers to it. Only the fields that the reference has are
 * replaced. Returns the same object where nothing changes.
 */
export function replaceReferences(data: unknown, change: Pick<Change, 'id' | 'action' | 'item'>): unknown {
  const { id, action } = change;
  const current: Fields = { ...change.item };
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      const items = value.map((entry) => (isItem(entry) && !findIds(entry).has(id) ? entry : replace(entry)));
      return items.some((entry, index) => entry !== value[index]) ? items : value;
    }
    if (!isRecord(value)) return value;
    const isReference = value._id === id;
    if (isReference && action === 'deleted' && 'firstName' in value) return toTombstone(value, id);
    const isOutdated = isReference && !isNewer(value, current);
    const entries = Object.entries(value).map(([name, field]): [string, unknown] => [
      name,
      isOutdated && name in current ? current[name] : replace(field),
    ]);
    return entries.some(([name, field]) => field !== value[name]) ? Object.fromEntries(entries) : value;
  };
  return replace(data);
}

const idsByItem = new WeakMap<object, ReadonlySet<string>>();

/** Finds the ids of an item and of all that it contains. Items never change, and most refer to few others. */
function findIds(item: Item): ReadonlySet<string> {
  const known = idsByItem.get(item);
  if (known) return known;
  const ids = new Set<string>();
  const collect = (value: unknown) => {
    if (!isRecord(value)) return;
    if (typeof value._id === 'string') ids.add(value._id);
    Object.values(value).forEach(collect);
  };
  collect(item);
  idsByItem.set(item, ids);
  return ids;
}

function toTombstone(reference: Fields, id: string): Fields {
  const ownFields = Object.entries(reference).filter(([name]) => !USER_FIELDS.includes(name));
  return { ...Object.fromEntries(ownFields), ...deletedUser(id) };
}

/** Of two names, that of the later version is current. */
const isNewer = (reference: Fields, { version }: Fields) =>
  typeof reference.version === 'number' && typeof version === 'number' && reference.version > version;
