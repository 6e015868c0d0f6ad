import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { listDepartments } from '@atrium/proto-events/http/departments';
import { keyOf } from '../../lib/cache/keys.ts';
import { useFirstPages } from '../../lib/cache/use-first-pages.ts';

type Department = ResponseOf<typeof listDepartments>['data'][number];

/** Most workspaces need one page; nobody chooses among more than these. */
const MOST_PAGES = 20;

const keyOfPage = (page: number) => keyOf<typeof listDepartments>('GET /departments', { query: { limit: 100, page } });

/** Every department by name, inactive ones too, to choose one. */
export function useAllDepartments() {
  return useFirstPages<Department>(keyOfPage, MOST_PAGES);
}
