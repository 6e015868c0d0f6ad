import type { Change } from '@atrium/proto-events/realtime';
import { isRecord } from '#lib/is-record.ts';

export type Item = Readonly<Record<string, unknown>> & { _id: string };

export const isItem = (value: unknown): value is Item => isRecord(value) && typeof value._id === 'string';

/** Returns the items of a list, with or without pages. */
export function itemsOf(data: unknown): readonly Item[] {
  const items = isRecord(data) && !Array.isArray(data) ? data.data : data;
  return Array.isArray(items) ? items.filter(isItem) : [];
}

/**
 * Whether the item has a later version than that of the change. A change without an item is about what no item shows, such
 * as the place of the user in a project, so that a later item does not include it.
 */
export const isOlder = ({ version, action, item }: Change, current: Readonly<Record<string, unknown>>): boolean =>
  action !== 'deleted' && item !== undefined && typeof current.version === 'number' && version < current.version;

/** Whether one of the fields may have changed. */
export const hasChanged = ({ action, changed }: Change, fields: readonly string[]): boolean =>
  fields.length > 0 && (action !== 'updated' || changed === undefined || changed.some((name) => fields.includes(name)));
