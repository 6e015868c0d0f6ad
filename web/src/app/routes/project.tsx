import type { Project } from '@atrium/proto-events/http/projects';
import type { TaskStatus } from '@atrium/proto-events/http/tasks';
import { ArrowLeft, FolderX, Pencil, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { styled } from 'styled-components';
import { ProjectFacts } from '../../features/projects/project-facts.tsx';
import { ProjectPageBones } from '../../features/projects/project-page-bones.tsx';
import { useProject } from '../../features/projects/use-projects.ts';
import { TaskBoard } from '../../features/tasks/task-board.tsx';
import { messageOf } from '../../lib/api-error.ts';
import { isId } from '../../lib/is-id.ts';
import { lazy } from '../../lib/lazy.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Page } from '../../ui/page.tsx';
import { theme } from '../../ui/theme.ts';

const EditProjectDialog = lazy(() =>
  import('../../features/projects/edit-project-dialog.tsx').then((module) => ({ default: module.EditProjectDialog })),
);
const TeamDialog = lazy(() =>
  import('../../features/projects/team-dialog.tsx').then((module) => ({ default: module.TeamDialog })),
);
const NewTaskDialog = lazy(() =>
  import('../../features/tasks/new-task-dialog.tsx').then((module) => ({ default: module.NewTaskDialog })),
);

export default function ProjectPage() {
  const { projectId = '' } = useParams();
  // What is no id names another call of the server's, such as its figures.
  return isId(projectId) ? <ProjectById id={projectId} /> : <Gone />;
}

function ProjectById({ id }: { id: string }) {
  const { data, error, isValidating, mutate } = useProject(id);
  if (error?.status === 404) return <Gone />;
  if (data) return <Whole key={data._id} project={data} />;
  return (
    <Page title="Project">
      {error ? (
        <ErrorState
          title="Failed to load the project"
          detail={messageOf(error, '')}
          onRetry={() => void mutate()}
          isRetrying={isValidating}
        />
      ) : (
        <ProjectPageBones />
      )}
    </Page>
  );
}

type Opened = { kind: 'none' } | { kind: 'edit' } | { kind: 'team' } | { kind: 'task'; status: TaskStatus };

function Whole({ project }: { project: Project }) {
  const [opened, setOpened] = useState<Opened>({ kind: 'none' });
  const navigate = useNavigate();
  const close = () => setOpened({ kind: 'none' });
  const create = project.abilities.createTasks
    ? (status: TaskStatus) => setOpened({ kind: 'task', status })
    : undefined;
  return (
    <Page
      title={project.name}
      subtitle={<Description title={project.description}>{project.description}</Description>}
      actions={
        <>
          <ButtonLink to="/progress" icon={<ArrowLeft />}>
            All Projects
          </ButtonLink>
          <Button icon={<Pencil />} onPress={() => setOpened({ kind: 'edit' })}>
            Edit
          </Button>
          {create && (
            <Button variant="primary" icon={<Plus />} onPress={() => create('todo')}>
              New Task
            </Button>
          )}
        </>
      }
    >
      <ProjectFacts project={project} onTeam={() => setOpened({ kind: 'team' })} />
      {!create && <Why>{project.refusals.createTasks}.</Why>}
      <TaskBoard project={project} onCreate={create} />
      <Suspense fallback={null}>
        {opened.kind === 'edit' && (
          <EditProjectDialog project={project} isOpen onClose={close} onDeleted={() => void navigate('/progress')} />
        )}
        {opened.kind === 'team' && <TeamDialog project={project} isOpen onClose={close} />}
        {opened.kind === 'task' && <NewTaskDialog project={project} status={opened.status} isOpen onClose={close} />}
      </Suspense>
    </Page>
  );
}

function Gone() {
  return (
    <Page title="Project">
      <EmptyState
        icon={<FolderX />}
        title="This project is not there"
        hint="Somebody deleted it, or its address is wrong."
        action={<ButtonLink to="/progress">All Projects</ButtonLink>}
      />
    </Page>
  );
}

const Description = styled.span`
  display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 2;
  overflow: hidden;
  max-width: 84ch;
  overflow-wrap: anywhere;
`;

const Why = styled.p`
  margin-bottom: ${theme.space[3]};
  color: ${theme.color.text2};
`;
