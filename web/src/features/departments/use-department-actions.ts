import type { CallOf } from '@atrium/proto-events/endpoint';
import type { createDepartment, deleteDepartment, updateDepartment } from '@atrium/proto-events/http/departments';
import type { Department } from '#entities/department/use-departments.ts';
import { call } from '#lib/api/api.ts';
import { idempotencyOptions } from '#lib/hooks/use-idempotency-key.ts';
import { useCacheUpdate } from '#realtime/use-cache-update.ts';
import { useRefetchPaths } from '#realtime/use-refetch.ts';

export function useDepartmentActions() {
  const refetchPaths = useRefetchPaths();
  const cacheUpdate = useCacheUpdate<Department>('department');
  const refreshAll = () => refetchPaths('/departments', '/users');
  return {
    create: async (body: CallOf<typeof createDepartment>['body'], idempotencyKey: string) => {
      await call<typeof createDepartment>('POST /departments', { body }, idempotencyOptions(idempotencyKey));
      refreshAll();
    },
    update: async (id: string, body: CallOf<typeof updateDepartment>['body']) => {
      cacheUpdate.applySaved(await call<typeof updateDepartment>('PATCH /departments/:id', { params: { id }, body }));
      refreshAll();
    },
    remove: async (id: string): Promise<'deleted' | 'deactivated'> => {
      const deactivated = await call<typeof deleteDepartment>('DELETE /departments/:id', { params: { id } });
      if (deactivated) cacheUpdate.applySaved(deactivated);
      else cacheUpdate.applyDeletion(({ _id }) => _id === id);
      refreshAll();
      return deactivated ? 'deactivated' : 'deleted';
    },
  };
}
