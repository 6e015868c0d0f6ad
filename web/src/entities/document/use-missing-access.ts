import type { findUsersWithoutAccess } from '@atrium/proto-events/http/document-access';
import type { UserSummary } from '@atrium/proto-events/people';
import useSWR from 'swr';
import { call } from '../../lib/api/api.ts';
import type { ApiError } from '../../lib/api/api-error.ts';
import { fnv1a } from '../../lib/fnv1a.ts';
import { splitIntoBatches } from '../../lib/split-into-batches.ts';

/** As the contract has it. */
const MOST_ASKED = 500;

export type MissingAccess = { asked: number; cannotOpen: UserSummary[] };

/**
 * Who of these people cannot open a document; `null` waits. `among` tells this group of people from others. Asked again with all else of
 * the document, whoever changes it, and when others are in the group. Until that is answered, of the answer before it only who still is.
 */
export function useWhoCannotOpen(
  id: string,
  among: string,
  userIds: readonly string[] | null,
): MissingAccess | undefined {
  const key = userIds && `/documents/${id}/access/${among}?people=${digestOf(userIds)}`;
  const { data } = useSWR<MissingAccess, ApiError>(key, () => ask(id, userIds ?? []));
  return data && { ...data, cannotOpen: data.cannotOpen.filter(({ _id }) => userIds?.includes(_id)) };
}

/** Tells one group of people from another, in whichever order they come: a key cannot be as long as all their ids. */
const digestOf = (userIds: readonly string[]): string =>
  `${userIds.length}-${fnv1a(userIds.toSorted().join()).toString(36)}`;

async function ask(id: string, userIds: readonly string[]): Promise<MissingAccess> {
  const answers = await Promise.all(
    splitIntoBatches(userIds, MOST_ASKED).map((part) =>
      call<typeof findUsersWithoutAccess>('POST /documents/:id/access', { params: { id }, body: { userIds: part } }),
    ),
  );
  return {
    asked: answers.reduce((sum, { asked }) => sum + asked, 0),
    cannotOpen: answers.flatMap(({ cannotOpen }) => cannotOpen),
  };
}
