import { useState } from 'react';
import type { Department } from '../../entities/department/use-departments.ts';
import { showFailure } from '../../ui/overlays/show-failure.ts';
import { showSuccess } from '../../ui/overlays/toast.ts';
import { useDepartmentActions } from './use-department-actions.ts';

/** Brings an inactive department back at once; nothing is lost by it, so nothing is asked. */
export function useReactivating() {
  const { update } = useDepartmentActions();
  const [busyId, setBusyId] = useState<string | null>(null);
  return {
    busyId,
    reactivate: async ({ _id }: Department) => {
      setBusyId(_id);
      try {
        await update(_id, { isActive: true });
        showSuccess('Department updated successfully');
      } catch (error) {
        showFailure(error, 'Failed to save department');
      }
      setBusyId(null);
    },
  };
}
