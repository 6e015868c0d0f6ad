import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { getDepartmentStats, listDepartments } from '@atrium/proto-events/http/departments';
import { formatNumber } from '#lib/number-formats.ts';
import { useInfinitePages } from '#lib/query/use-infinite-pages.ts';
import { keyOf, useRead } from '#lib/query/use-read.ts';

export type Department = ResponseOf<typeof listDepartments>['data'][number];

const PAGE_SIZE = 60;

export function useDepartmentList({ search, page }: { search: string; page: string }) {
  return useRead<typeof listDepartments>('GET /departments', { query: { search, page, limit: PAGE_SIZE } });
}

export function useDepartmentStats() {
  return useRead<typeof getDepartmentStats>('GET /departments/stats', {});
}

/** Most workspaces need one page. */
const MAX_PAGES = 20;

const keyOfPage = (page: number) => keyOf<typeof listDepartments>('GET /departments', { query: { limit: 100, page } });

/** All departments by name, including inactive ones. */
export function useAllDepartments() {
  return useInfinitePages<Department>(keyOfPage, MAX_PAGES);
}

/** '1 employee', '2,345 employees'. */
export function countEmployees(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'employee' : 'employees'}`;
}
