import { isDeepStrictEqual } from 'node:util';
import type { Viewer } from '@atrium/proto-events/abilities/viewer';
import { findResponse } from '@atrium/proto-events/responses/responses';

export type ListedItem = { _id: string };

export type ListRulesParams = {
  viewer: Viewer;
  /** Every item of the resource, as the viewer sees it. */
  items: readonly ListedItem[];
  /** The lists: paths with a query, such as `/projects?status=on-hold`, without a page. */
  keys: readonly string[];
  /** Returns the body of the response to the viewer. */
  fetchPage: (key: string) => Promise<unknown>;
};

/**
 * Compares lists of a service with the rules by which browsers patch them (`findResponse`): the same items in the same
 * order, over all pages. Throws if they differ, if a list has no rules, or if no list has an item, since then nothing
 * was compared.
 */
export async function assertListRules({ viewer, items, keys, fetchPage }: ListRulesParams): Promise<void> {
  let matchCount = 0;
  for (const key of keys) {
    const expectedIds = selectItems(key, viewer, items).map(({ _id }) => _id);
    const { ids, total } = await fetchList(key, fetchPage);
    if (!isDeepStrictEqual(ids, expectedIds) || total !== expectedIds.length)
      throw new Error(`${key} for ${viewer.role}: ${JSON.stringify({ ids, total, expectedIds })}`);
    matchCount += expectedIds.length;
  }
  if (matchCount === 0) throw new Error(`None of these lists has an item: ${keys.join(' ')}`);
}

/** Applies the rules of a list to all items. */
function selectItems(key: string, viewer: Viewer, items: readonly ListedItem[]): ListedItem[] {
  const response = findResponse(key);
  if (response?.definition.kind !== 'list') throw new Error(`There are no rules for ${key}`);
  const { matches, compare } = response.definition;
  const request = { ...response.request, viewer };
  const matchingItems = items.filter((item) => {
    // The definition of a path knows the type of its items.
    const isMatching = matches(item as never, request);
    if (isMatching === undefined) throw new Error(`Only the service knows what ${key} contains`);
    return isMatching;
  });
  return matchingItems.sort((a, b) => compare(request)(a as never, b as never));
}

type Page = { data: ListedItem[]; total: number; totalPages: number };

async function fetchList(
  key: string,
  fetchPage: ListRulesParams['fetchPage'],
): Promise<{ ids: string[]; total: number }> {
  const separator = key.includes('?') ? '&' : '?';
  const ids: string[] = [];
  for (let number = 1; ; number += 1) {
    const { data, total, totalPages } = (await fetchPage(`${key}${separator}page=${number}`)) as Page;
    ids.push(...data.map(({ _id }) => _id));
    if (number >= totalPages) return { ids, total };
  }
}
