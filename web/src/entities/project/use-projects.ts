import type {
  getProject,
  getProjectStats,
  listMyProjects,
  listProjects,
  Project,
} from '@atrium/proto-events/http/projects';
import type { CallInput } from '#lib/api/api.ts';
import { useInfinitePages } from '#lib/query/use-infinite-pages.ts';
import { keyOf, useRead } from '#lib/query/use-read.ts';
import { USERS_PER_ITEM } from '../user/user-labels.ts';

type Query = NonNullable<CallInput<typeof listProjects>['query']>;

export function useProjects(query: Pick<Query, 'search' | 'limit'> | null) {
  return useRead<typeof listProjects>('GET /projects', query && { query: { ...query, people: USERS_PER_ITEM } });
}

export function useMyProjects(query: Pick<Query, 'search' | 'limit'> | null) {
  return useRead<typeof listMyProjects>(
    'GET /projects/my-projects',
    query && { query: { ...query, people: USERS_PER_ITEM } },
  );
}

export const PROJECTS_PER_PAGE = 100;

export function useProjectPages(query: Pick<Query, 'search' | 'status' | 'priority' | 'health'>, pages: number) {
  const keyOfPage = (page: number) =>
    keyOf<typeof listProjects>('GET /projects', {
      query: { ...query, limit: PROJECTS_PER_PAGE, people: USERS_PER_ITEM, page },
    });
  return useInfinitePages<Project>(keyOfPage, pages);
}

export function useProjectStats() {
  return useRead<typeof getProjectStats>('GET /projects/stats', {});
}

export function useProject(id: string | null, fallback?: Project) {
  const options = { keepPreviousData: false, ...(fallback && { fallbackData: fallback }) };
  return useRead<typeof getProject>('GET /projects/:id', id === null ? null : { params: { id } }, options);
}
