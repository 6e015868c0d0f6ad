import { useDepartmentStats } from '#entities/department/use-departments.ts';
import { StatCards } from '#ui/pages/stat-cards.tsx';

export function DepartmentStats() {
  const { data, error } = useDepartmentStats();
  const unknown = error ? '–' : undefined;
  return (
    <StatCards
      label="Department statistics"
      stats={[
        { label: 'Total Departments', value: data?.total ?? unknown },
        { label: 'Active Departments', value: data?.active ?? unknown },
        { label: 'Total Employees', value: data?.employees ?? unknown },
      ]}
    />
  );
}
