import type { CallOf } from '@atrium/proto-events/endpoint';
import type {
  createDepartment,
  deleteDepartment,
  departmentAnswer,
  getDepartmentStats,
  listDepartments,
  updateDepartment,
} from '@atrium/proto-events/http/departments';
import type { z } from 'zod';
import { call } from '../../lib/api/api.ts';
import { useRead } from '../../lib/cache/use-read.ts';
import { useRefresh } from '../../lib/cache/use-refresh.ts';

const PAGE_SIZE = 60;

export type Department = z.infer<typeof departmentAnswer>;

export function useDepartmentList({ search, page }: { search: string; page: string }) {
  return useRead<typeof listDepartments>('GET /departments', { query: { search, page, limit: PAGE_SIZE } });
}

export function useDepartmentStats() {
  return useRead<typeof getDepartmentStats>('GET /departments/stats', {});
}

/** The writes; people are shown with their department, so their lists ask again too. */
export function useDepartmentActions() {
  const refresh = useRefresh();
  const refreshAll = () => refresh('/departments', '/users');
  return {
    create: async (body: CallOf<typeof createDepartment>['body']) => {
      await call<typeof createDepartment>('POST /departments', { body });
      await refreshAll();
    },
    update: async (id: string, body: CallOf<typeof updateDepartment>['body']) => {
      await call<typeof updateDepartment>('PATCH /departments/:id', { params: { id }, body });
      await refreshAll();
    },
    /** Whether it is gone; one that had employees by then is inactive instead, and answered. */
    remove: async (id: string): Promise<'deleted' | 'deactivated'> => {
      const left = await call<typeof deleteDepartment>('DELETE /departments/:id', { params: { id } });
      await refreshAll();
      return left ? 'deactivated' : 'deleted';
    },
  };
}
