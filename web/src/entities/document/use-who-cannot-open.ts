import type { findWhoCannotOpen } from '@atrium/proto-events/http/document-access';
import type { UserSummary } from '@atrium/proto-events/people';
import useSWR from 'swr';
import { call } from '../../lib/api/api.ts';
import type { ApiError } from '../../lib/api/api-error.ts';

/** As the contract has it. */
const MOST_ASKED = 500;

export type WhoCannotOpen = { asked: number; cannotOpen: UserSummary[] };

/**
 * Who of these people cannot open a document; `null` waits. `among` tells this group of people from others. Asked again with all else of
 * the document, whoever changes it, and when others are in the group. Until that is answered, of the answer before it only who still is.
 */
export function useWhoCannotOpen(
  id: string,
  among: string,
  userIds: readonly string[] | null,
): WhoCannotOpen | undefined {
  const key = userIds && `/documents/${id}/access/${among}?people=${digestOf(userIds)}`;
  const { data } = useSWR<WhoCannotOpen, ApiError>(key, () => ask(id, userIds ?? []));
  return data && { ...data, cannotOpen: data.cannotOpen.filter(({ _id }) => userIds?.includes(_id)) };
}

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Tells one group of people from another, in whichever order they come: FNV-1a, as a key cannot be as long as all their ids. */
function digestOf(userIds: readonly string[]): string {
  let digest = FNV_START;
  for (const character of userIds.toSorted().join()) {
    digest = Math.imul(digest ^ character.charCodeAt(0), FNV_PRIME);
  }
  return `${userIds.length}-${(digest >>> 0).toString(36)}`;
}

async function ask(id: string, userIds: readonly string[]): Promise<WhoCannotOpen> {
  const parts = Array.from({ length: Math.ceil(userIds.length / MOST_ASKED) }, (_, n) =>
    userIds.slice(n * MOST_ASKED, (n + 1) * MOST_ASKED),
  );
  const answers = await Promise.all(
    parts.map((part) =>
      call<typeof findWhoCannotOpen>('POST /documents/:id/access', { params: { id }, body: { userIds: part } }),
    ),
  );
  return {
    asked: answers.reduce((sum, { asked }) => sum + asked, 0),
    cannotOpen: answers.flatMap(({ cannotOpen }) => cannotOpen),
  };
}
