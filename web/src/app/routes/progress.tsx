import type { Project } from '@atrium/proto-events/http/projects';
import { Plus, UserPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { ProjectFigures } from '../../features/projects/project-figures.tsx';
import { ProjectList } from '../../features/projects/project-list.tsx';
import { lazy } from '../../lib/lazy.ts';
import { canCreateProjects, canManagePeople } from '../../lib/permissions.ts';
import { useCurrentUser } from '../../lib/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';

const NewProjectDialog = lazy(() =>
  import('../../features/projects/new-project-dialog.tsx').then((module) => ({ default: module.NewProjectDialog })),
);
const EditProjectDialog = lazy(() =>
  import('../../features/projects/edit-project-dialog.tsx').then((module) => ({ default: module.EditProjectDialog })),
);
const InviteDialog = lazy(() =>
  import('../../features/users/invite-dialog.tsx').then((module) => ({ default: module.InviteDialog })),
);

type Opened = { kind: 'none' } | { kind: 'new' } | { kind: 'invite' } | { kind: 'edit'; project: Project };

export default function Progress() {
  const user = useCurrentUser();
  const [opened, setOpened] = useState<Opened>({ kind: 'none' });
  const create = canCreateProjects(user) ? () => setOpened({ kind: 'new' }) : undefined;
  const close = () => setOpened({ kind: 'none' });
  return (
    <Page
      title="Progress Tracker"
      subtitle="Every project, and how far it is"
      actions={
        <>
          {canManagePeople(user) && (
            <Button icon={<UserPlus />} onPress={() => setOpened({ kind: 'invite' })}>
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
      <ProjectList onEdit={(project) => setOpened({ kind: 'edit', project })} onCreate={create} />
      <Suspense fallback={null}>
        {opened.kind === 'new' && <NewProjectDialog isOpen onClose={close} />}
        {opened.kind === 'edit' && <EditProjectDialog project={opened.project} isOpen onClose={close} />}
        {opened.kind === 'invite' && <InviteDialog isOpen onClose={close} />}
      </Suspense>
    </Page>
  );
}
