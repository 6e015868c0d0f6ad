import type { CallOf } from '@atrium/proto-events/endpoint';
import type { createDepartment, deleteDepartment, updateDepartment } from '@atrium/proto-events/http/departments';
import type { Department } from '#entities/department/use-departments.ts';
import { call } from '#lib/api/api.ts';
import { idempotencyOptions } from '#lib/hooks/use-idempotency-key.ts';
import { useWrite } from '#realtime/use-write.ts';

export function useDepartmentActions() {
  const write = useWrite<Department>('department');
  return {
    create: async (body: CallOf<typeof createDepartment>['body'], idempotencyKey: string) => {
      write.created(
        await call<typeof createDepartment>('POST /departments', { body }, idempotencyOptions(idempotencyKey)),
      );
    },
    update: async (id: string, body: CallOf<typeof updateDepartment>['body']) => {
      write.saved(await call<typeof updateDepartment>('PATCH /departments/:id', { params: { id }, body }));
    },
    remove: async (id: string): Promise<'deleted' | 'deactivated'> => {
      const deactivated = await call<typeof deleteDepartment>('DELETE /departments/:id', { params: { id } });
      if (deactivated) write.saved(deactivated);
      else write.deleted(({ _id }) => _id === id);
      return deactivated ? 'deactivated' : 'deleted';
    },
  };
}
