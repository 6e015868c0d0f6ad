import { Inbox } from '#features/notifications/inbox.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Page } from '#ui/pages/page.tsx';

export default function Notifications() {
  return (
    <Page
      title="Notifications"
      subtitle="Mentions, assignments, and other updates"
      actions={<ButtonLink to="/settings#notifications">Notification Settings</ButtonLink>}
    >
      <Inbox />
    </Page>
  );
}
