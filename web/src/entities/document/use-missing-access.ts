import type { findUsersWithoutAccess } from '@atrium/proto-events/http/document-access';
import type { UserSummary } from '@atrium/proto-events/people';
import useSWR from 'swr';
import { call } from '#lib/api/api.ts';
import type { ApiError } from '#lib/api/api-error.ts';
import { fnv1a } from '#lib/fnv1a.ts';
import { splitIntoBatches } from '#lib/split-into-batches.ts';

/** The contract's limit. */
const MAX_USER_IDS = 500;

export type MissingAccess = { asked: number; cannotOpen: UserSummary[] };

/**
 * The users who cannot open a document; `null` skips the request. `among` identifies the group. Refetched when the document or the group
 * changes; until then the previous response is filtered by current membership.
 */
export function useMissingAccess(
  id: string,
  among: string,
  userIds: readonly string[] | null,
): MissingAccess | undefined {
  const key = userIds && `/documents/${id}/access/${among}?people=${digestOf(userIds)}`;
  const { data } = useSWR<MissingAccess, ApiError>(key, () => ask(id, userIds ?? []));
  return data && { ...data, cannotOpen: data.cannotOpen.filter(({ _id }) => userIds?.includes(_id)) };
}

/** Identifies a set of users regardless of order; a cache key of all ids would be too long. */
const digestOf = (userIds: readonly string[]): string =>
  `${userIds.length}-${fnv1a(userIds.toSorted().join()).toString(36)}`;

async function ask(id: string, userIds: readonly string[]): Promise<MissingAccess> {
  const answers = await Promise.all(
    splitIntoBatches(userIds, MAX_USER_IDS).map((part) =>
      call<typeof findUsersWithoutAccess>('POST /documents/:id/access', { params: { id }, body: { userIds: part } }),
    ),
  );
  return {
    asked: answers.reduce((sum, { asked }) => sum + asked, 0),
    cannotOpen: answers.flatMap(({ cannotOpen }) => cannotOpen),
  };
}
