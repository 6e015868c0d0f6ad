import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { useDepartmentActions } from './use-department-actions.ts';

/** Reactivates without confirmation, because nothing is lost. */
export function useReactivating() {
  const { update } = useDepartmentActions();
  return useAction(async (id: string) => {
    await update(id, { isActive: true });
    showSuccess('Department updated successfully');
  }, 'Failed to save department');
}
