import type { getNotices, updateNotices } from '@atrium/proto-events/http/notices/settings';
import { useSWRConfig } from 'swr';
import { call } from '#lib/api/api.ts';
import { keyOf, useRead } from '#lib/query/use-read.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';

export function useNotices() {
  return useRead<typeof getNotices>('GET /users/profile/notices', {});
}

/** Pauses emails until a time, or resumes them with null. */
export function usePause(): (pausedUntil: string | null) => Promise<void> {
  const { mutate } = useSWRConfig();
  const refetch = useRefetch();
  return async (pausedUntil) => {
    const saved = await call<typeof updateNotices>('PATCH /users/profile/notices', { body: { pausedUntil } });
    await mutate(keyOf<typeof getNotices>('GET /users/profile/notices', {}), saved, { revalidate: false });
    // The other forms of the user have the same version.
    refetch('/users');
  };
}
