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
 * the document, whoever changes it.
 */
export function useWhoCannotOpen(id: string, among: string, userIds: readonly string[] | null) {
  const key = userIds === null ? null : `/documents/${id}/access/${among}?people=${userIds.length}`;
  return useSWR<WhoCannotOpen, ApiError>(key, () => ask(id, userIds ?? []));
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
