import { Plus, UserPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { ProjectFigures } from '../../features/projects/list/project-figures.tsx';
import { ProjectList } from '../../features/projects/list/project-list.tsx';
import { lazy } from '../../lib/lazy.ts';
import { canCreateProjects, canManagePeople } from '../../lib/session/permissions.ts';
import { useCurrentUser } from '../../lib/session/use-session.ts';
import { useOpened } from '../../lib/use-opened.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/pages/page.tsx';

const NewProjectDialog = lazy(() =>
  import('../../features/projects/new-project-dialog.tsx').then((module) => ({ default: module.NewProjectDialog })),
);
const EditProjectById = lazy(() =>
  import('../../features/projects/edit-project-dialog.tsx').then((module) => ({ default: module.EditProjectById })),
);
const InviteDialog = lazy(() =>
  import('../../features/users/invitations/invite-dialog.tsx').then((module) => ({ default: module.InviteDialog })),
);

export default function Progress() {
  const user = useCurrentUser();
  const [asked, setAsked] = useState<'new' | 'invite'>();
  const { opened, open, close } = useOpened('edit');
  const create = canCreateProjects(user) ? () => setAsked('new') : undefined;
  const done = () => setAsked(undefined);
  return (
    <Page
      title="Progress Tracker"
      subtitle="Every project, and how far it is"
      actions={
        <>
          {canManagePeople(user) && (
            <Button icon={<UserPlus />} onPress={() => setAsked('invite')}>
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
      <ProjectFigures />
      <ProjectList onEdit={({ _id }) => open('edit', _id)} onCreate={create} />
      <Suspense fallback={null}>
        {asked === 'new' && <NewProjectDialog isOpen onClose={done} />}
        {asked === 'invite' && <InviteDialog isOpen onClose={done} />}
        {opened && <EditProjectById key={opened.id} id={opened.id} onClose={close} />}
      </Suspense>
    </Page>
  );
}
