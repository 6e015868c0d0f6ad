import { UserPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { canManageUsers } from '#entities/user/roles.ts';
import { TeamList } from '#features/team/team-list.tsx';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Page } from '#ui/pages/page.tsx';

const InviteDialog = lazyNamed(() => import('#features/users/invitations/invite-dialog.tsx'), 'InviteDialog');

export default function Team() {
  const canInvite = canManageUsers(useCurrentUser());
  const [isInviting, setInviting] = useState(false);
  return (
    <Page
      title="Team Members"
      subtitle="Find and contact your colleagues"
      actions={
        canInvite && (
          <Button variant="primary" icon={<UserPlus />} onPress={() => setInviting(true)}>
            Invite Member
          </Button>
        )
      }
    >
      <TeamList />
      <Suspense fallback={null}>{isInviting && <InviteDialog onClose={() => setInviting(false)} />}</Suspense>
    </Page>
  );
}
