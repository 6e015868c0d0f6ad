import type { listProjectManagers, listUsers } from '@atrium/proto-events/http/users';
import type { SWRResponse } from 'swr';
import { useRead } from '../../lib/cache/use-read.ts';

/** Active people by name, as pickers offer them; the server searches. */
export function usePeople(search = '') {
  return useRead<typeof listUsers>('GET /users', { query: { status: 'active', search, limit: 100 } });
}

/** What a picker needs to offer another try where the answer failed. */
export function failureOf({ error, mutate, isValidating }: Pick<SWRResponse, 'error' | 'mutate' | 'isValidating'>) {
  return error ? { onRetry: () => void mutate(), isRetrying: isValidating } : undefined;
}

/** Active people who may manage a project, by name; the server searches. */
export function useProjectManagers(search = '') {
  return useRead<typeof listProjectManagers>('GET /users/project-managers', { query: { search, limit: 100 } });
}
