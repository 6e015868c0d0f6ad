// Browsers import this module, so it has no schemas.

import type { Viewer } from '../abilities/viewer.ts';
import type { Tag } from '../change-tags.ts';
import type { Change } from '../realtime.ts';

/** The request of a response, and the user who made it. */
export type ResponseRequest = { params: Readonly<Record<string, string>>; query: URLSearchParams; viewer: Viewer };

type Tagged = {
  /** What the response shows. A change with one of these tags may affect it. */
  tags: (request: ResponseRequest) => readonly Tag[];
};

/**
 * A list whose rules are known outside the service: which items it contains, and their order. The rules equal those of
 * the service's SQL (`assertListRules` of test-kit).
 */
export type ListResponse<Item = never> = Tagged & {
  kind: 'list';
  resource: Change['resource'];
  /** Whether the list contains the item. Undefined if only the service knows. */
  matches: (item: Item, request: ResponseRequest) => boolean | undefined;
  compare: (request: ResponseRequest) => (a: Item, b: Item) => number;
  /** Fields by which the request selects items: after a change of none of them, an item is in the list as before. */
  filterFields: (request: ResponseRequest) => readonly string[];
  /** Fields that determine the place of an item. Without it, any change may move an item. */
  orderFields?: (request: ResponseRequest) => readonly string[];
  /** Fields that the items of events have only in part: after a change of one of them, the response is stale. */
  partialFields?: (request: ResponseRequest) => readonly string[];
  /** Reduces a single resource to an item of the list. */
  toListed?: (item: Item, request: ResponseRequest) => Item;
};

/** A single resource. */
export type ItemResponse = Tagged & {
  kind: 'item';
  resource: Change['resource'];
  /** Fields that the items of events lack, or have only in part: after a change of one of them, the response is stale. */
  partialFields?: (request: ResponseRequest) => readonly string[];
};

/** Whether a change with one of the tags affects the response. `data` is undefined while a request is in flight. */
export type IsAffected = (change: Change, data: unknown) => boolean;

/** A response that only the service can compute: after a change it is stale. */
type ComputedResponse = Tagged & { kind: 'computed'; isAffected: IsAffected };

/** A response that no event affects. */
export type StaticResponse = { kind: 'static' };

export type ResponseDefinition = ListResponse | ItemResponse | ComputedResponse | StaticResponse;

/** Definitions by the path of their endpoints. */
export type ResponseDefinitions = Readonly<Record<string, ResponseDefinition>>;

export const list = <Item>(definition: Omit<ListResponse<Item>, 'kind'>): ListResponse =>
  ({ kind: 'list', ...definition }) as unknown as ListResponse;

export const item = (definition: Omit<ItemResponse, 'kind'>): ItemResponse => ({ kind: 'item', ...definition });

/** Returns the fields of the parameters that the query has. */
export const requestedFields = (
  { query }: ResponseRequest,
  fieldsByParameter: Readonly<Record<string, readonly string[]>>,
): string[] => Object.entries(fieldsByParameter).flatMap(([parameter, fields]) => (query.get(parameter) ? fields : []));

/** By default, every change with one of the tags affects the response. */
export const computed = (tags: ComputedResponse['tags'], isAffected: IsAffected = () => true): ComputedResponse => ({
  kind: 'computed',
  tags,
  isAffected,
});

export const UNAFFECTED: StaticResponse = { kind: 'static' };

/** Creations, deletions, and changes of these fields. A change that does not name its fields may be of any. */
export const byFields =
  (...fields: readonly string[]): IsAffected =>
  ({ action, changed }) =>
    action !== 'updated' || changed === undefined || changed.some((field) => fields.includes(field));

/** Everything but changes of only these fields. */
export const exceptFields =
  (...fields: readonly string[]): IsAffected =>
  ({ action, changed }) =>
    action !== 'updated' || changed === undefined || !changed.every((field) => fields.includes(field));

/** Whether the parameter is absent, or lists the value (`status=todo,review`). */
export function isRequested(query: URLSearchParams, name: string, value: string): boolean {
  const requested = query.get(name);
  return !requested || requested.split(',').includes(value);
}

/** Whether `ids` is absent, or lists the item. Unlike other parameters, an empty one requests nothing. */
export function isRequestedId(query: URLSearchParams, id: string): boolean {
  const ids = query.get('ids');
  return ids === null || ids.split(',').includes(id);
}
