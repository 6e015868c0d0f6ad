import type { CallOf } from '@atrium/proto-events/endpoint';
import type {
  explainDocumentAccess,
  findUsersWithoutAccess,
  listDocumentShares,
  shareDocument,
} from '@atrium/proto-events/http/document-access';
import type { Document } from '@atrium/proto-events/http/documents';
import type { UserSummary } from '@atrium/proto-events/people';
import useSWR from 'swr';
import { call } from '#lib/api/api.ts';
import type { ApiError } from '#lib/api/api-error.ts';
import { fnv1a } from '#lib/fnv1a.ts';
import { useRead } from '#lib/query/use-read.ts';
import { splitIntoBatches } from '#lib/split-into-batches.ts';
import { useWrite } from '#realtime/use-write.ts';

export function useDocumentShares(id: string) {
  return useRead<typeof listDocumentShares>('GET /documents/:id/shares', { params: { id } });
}

export function useDocumentAccess(id: string, user: string | null) {
  const input = user === null ? null : { params: { id }, query: { user } };
  return useRead<typeof explainDocumentAccess>('GET /documents/:id/access', input, { keepPreviousData: false });
}

export type Grantees = CallOf<typeof shareDocument>['body'];

export function useShareDocument() {
  const write = useWrite<Document>('document');
  return async (id: string, body: Grantees) => {
    write.saved(await call<typeof shareDocument>('POST /documents/:id/share', { params: { id }, body }));
    write.refetch('/documents');
  };
}

const MAX_USER_IDS = 500;

type MissingAccess = { asked: number; cannotOpen: UserSummary[] };

/** `among` identifies the group. Until a refetch completes, the previous response is filtered by current membership. */
export function useMissingAccess(
  id: string,
  among: string,
  userIds: readonly string[] | null,
): MissingAccess | undefined {
  const key = userIds && `/documents/${id}/access?among=${among}&people=${hashUserIds(userIds)}`;
  const { data } = useSWR<MissingAccess, ApiError>(key, () => fetchMissingAccess(id, userIds ?? []));
  return data && { ...data, cannotOpen: data.cannotOpen.filter(({ _id }) => userIds?.includes(_id)) };
}

/** Identifies a set of users regardless of order; a cache key of all ids would be too long. */
const hashUserIds = (userIds: readonly string[]): string =>
  `${userIds.length}-${fnv1a(userIds.toSorted().join()).toString(36)}`;

async function fetchMissingAccess(id: string, userIds: readonly string[]): Promise<MissingAccess> {
  const responses = await Promise.all(
    splitIntoBatches(userIds, MAX_USER_IDS).map((part) =>
      call<typeof findUsersWithoutAccess>('POST /documents/:id/access', { params: { id }, body: { userIds: part } }),
    ),
  );
  return {
    asked: responses.reduce((sum, { asked }) => sum + asked, 0),
    cannotOpen: responses.flatMap(({ cannotOpen }) => cannotOpen),
  };
}
