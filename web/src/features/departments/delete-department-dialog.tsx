import { isolate } from '@atrium/proto-events/text/isolate';
import { employees, type Department } from '#entities/department/use-departments.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useDepartmentActions } from './use-department-actions.ts';

type Props = { department: Department; onClose: () => void };

/** A department with employees is deactivated instead of deleted. */
export function DeleteDepartmentDialog({ department, onClose }: Props) {
  const { remove } = useDepartmentActions();
  const hasEmployees = department.employeeCount > 0;
  const confirm = async () => {
    const outcome = await remove(department._id);
    showSuccess(outcome === 'deleted' ? 'Department deleted successfully' : 'Department deactivated successfully');
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={confirm}
      title={hasEmployees ? 'Deactivate Department' : 'Delete Department'}
      action={hasEmployees ? 'Deactivate' : 'Delete'}
      failure="Failed to delete department"
    >
      {hasEmployees
        ? `“${isolate(department.name)}” has ${employees(department.employeeCount)}, so it will be marked inactive instead of deleted. They stay in the department, and no one can be added to it until it is reactivated.`
        : `Are you sure you want to delete “${isolate(department.name)}”? This action cannot be undone.`}
    </ConfirmDialog>
  );
}
