import { useUserStats } from '#entities/user/use-people.ts';
import { StatCards } from '#ui/pages/stat-cards.tsx';

export function UserFigures() {
  const { data, error } = useUserStats();
  const unknown = error ? '–' : undefined;
  return (
    <StatCards
      label="User statistics"
      stats={[
        { label: 'Total Users', value: data?.total ?? unknown },
        { label: 'Admins', value: data?.admins ?? unknown },
        { label: 'Project Managers', value: data?.projectManagers ?? unknown },
        { label: 'Members', value: data?.members ?? unknown },
        { label: 'Active', value: data?.active ?? unknown },
        { label: 'Inactive', value: data?.inactive ?? unknown },
        { label: 'New This Month', value: data?.newThisMonth ?? unknown },
      ]}
    />
  );
}
