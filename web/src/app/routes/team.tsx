import type { User } from '@atrium/proto-events/people';
import { ChartColumn, LayoutGrid, UserPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { canManageUsers } from '#entities/user/roles.ts';
import { TeamList } from '#features/team/team-list.tsx';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Page } from '#ui/pages/page.tsx';
import { SkeletonBlock } from '#ui/pages/skeleton.tsx';

const InviteDialog = lazyNamed(() => import('#features/users/invitations/invite-dialog.tsx'), 'InviteDialog');

const TeamWorkload = lazyNamed(() => import('#features/charts/team-workload.tsx'), 'TeamWorkload');

const DEFAULTS = { view: 'cards', page: '1' };

export default function Team() {
  const canInvite = canManageUsers(useCurrentUser());
  const [{ view }, setPlace] = useUrlState(DEFAULTS);
  const isWorkload = view === 'workload';
  const showWorkload = (users: readonly User[]) => (
    <Suspense fallback={<SkeletonBlock height={320} />}>
      <TeamWorkload users={users} />
    </Suspense>
  );
  const [isInviting, setInviting] = useState(false);
  return (
    <Page
      title="Team Members"
      subtitle="Find and contact your colleagues"
      actions={
        <>
          <Button
            icon={isWorkload ? <LayoutGrid /> : <ChartColumn />}
            onPress={() => setPlace({ view: isWorkload ? 'cards' : 'workload', page: '1' }, 'push')}
          >
            {isWorkload ? 'Cards' : 'Workload'}
          </Button>
          {canInvite && (
            <Button variant="primary" icon={<UserPlus />} onPress={() => setInviting(true)}>
              Invite Member
            </Button>
          )}
        </>
      }
    >
      <TeamList renderUsers={isWorkload ? showWorkload : undefined} />
      <Suspense fallback={null}>{isInviting && <InviteDialog onClose={() => setInviting(false)} />}</Suspense>
    </Page>
  );
}
