import { ActivityList } from '#features/activity/activity-list.tsx';
import { AdminPage } from '../admin-page.tsx';

export default function Activity() {
  return (
    <AdminPage
      title="Activity"
      subtitle="Sign-ins, denied access, and changes to accounts and users"
      denial="Only administrators can read the activity log"
    >
      <ActivityList />
    </AdminPage>
  );
}
