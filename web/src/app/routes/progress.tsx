import { ChartGantt, LayoutGrid, Plus, UserPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { canCreateProjects, canManageUsers } from '#entities/user/roles.ts';
import { ProjectList, ProjectStats } from '#features/projects/list/project-list.tsx';
import { useOverlayHistory } from '#lib/hooks/use-overlay-history.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { HiddenOnMobile } from '#ui/collapsible.tsx';
import { Page } from '#ui/pages/page.tsx';

const NewProjectDialog = lazyNamed(() => import('#features/projects/new-project-dialog.tsx'), 'NewProjectDialog');
const EditProjectDialog = lazyNamed(() => import('#features/projects/edit-project-dialog.tsx'), 'EditProjectDialog');
const InviteDialog = lazyNamed(() => import('#features/users/invitations/invite-dialog.tsx'), 'InviteDialog');

const DEFAULT_VIEW = { view: 'cards' };

export default function Progress() {
  const user = useCurrentUser();
  const [openDialog, setOpenDialog] = useState<'new' | 'invite'>();
  const { opened, open, close } = useOverlayHistory('edit');
  const [{ view }, setView] = useUrlState(DEFAULT_VIEW);
  const isTimeline = view === 'timeline';
  const create = canCreateProjects(user) ? () => setOpenDialog('new') : undefined;
  const closeDialog = () => setOpenDialog(undefined);
  return (
    <Page
      title="Progress Tracker"
      subtitle="All projects and their progress"
      actions={
        <>
          <Button
            icon={isTimeline ? <LayoutGrid /> : <ChartGantt />}
            aria-label={isTimeline ? 'Cards' : 'Timeline'}
            onPress={() => setView({ view: isTimeline ? 'cards' : 'timeline' }, 'push')}
          >
            <HiddenOnMobile>{isTimeline ? 'Cards' : 'Timeline'}</HiddenOnMobile>
          </Button>
          {canManageUsers(user) && (
            <Button icon={<UserPlus />} onPress={() => setOpenDialog('invite')}>
              Invite Member
            </Button>
          )}
          {create && (
            <Button variant="primary" icon={<Plus />} onPress={create}>
              New Project
            </Button>
          )}
        </>
      }
    >
      <ProjectStats />
      <ProjectList isTimeline={isTimeline} onEdit={({ _id }) => open('edit', _id)} onCreate={create} />
      <Suspense fallback={null}>
        {openDialog === 'new' && <NewProjectDialog onClose={closeDialog} />}
        {openDialog === 'invite' && <InviteDialog onClose={closeDialog} />}
        {opened && <EditProjectDialog key={opened.id} id={opened.id} onClose={close} />}
      </Suspense>
    </Page>
  );
}
