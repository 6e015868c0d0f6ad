import { Statistics } from '#features/charts/statistics/statistics.tsx';
import { AdminPage } from '../admin-page.tsx';

export default function StatisticsPage() {
  return (
    <AdminPage
      title="Statistics"
      subtitle="People, storage, and activity over time"
      denial="Only administrators can see the statistics of the workspace"
    >
      <Statistics />
    </AdminPage>
  );
}
