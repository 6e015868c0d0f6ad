import type { Project } from '@atrium/proto-events/http/projects';
import type { TaskStatus } from '@atrium/proto-events/http/tasks';
import { ArrowLeft, FolderX, Pencil, Plus } from 'lucide-react';
import { Suspense, useDeferredValue, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { styled } from 'styled-components';
import { NoticeLevelButton } from '#entities/notification/notice-level-button.tsx';
import { canEditProject } from '#entities/project/project-labels.ts';
import { useProject } from '#entities/project/use-projects.ts';
import { ProjectDetails } from '#features/projects/project-details.tsx';
import { BoardSkeleton, ProjectPageSkeleton } from '#features/projects/project-page-skeleton.tsx';
import { TaskBoard } from '#features/tasks/board/task-board.tsx';
import { useOverlayHistory } from '#lib/hooks/use-overlay-history.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { isId } from '#lib/paths.ts';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Text } from '#ui/layout/primitives.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { Page } from '#ui/pages/page.tsx';

const EditProjectDialog = lazyNamed(() => import('#features/projects/edit-project-dialog.tsx'), 'EditProjectDialog');
const HealthDialog = lazyNamed(() => import('#features/projects/health-dialog.tsx'), 'HealthDialog');
const ProjectCharts = lazyNamed(() => import('#features/charts/project-charts.tsx'), 'ProjectCharts');
const NoticeLevelMenu = lazyNamed(() => import('#entities/notification/notice-level-menu.tsx'), 'NoticeLevelMenu');
const ProjectMeetings = lazyNamed(() => import('#features/meetings/closing/project-meetings.tsx'), 'ProjectMeetings');
const TeamDialog = lazyNamed(() => import('#features/projects/team-dialog.tsx'), 'TeamDialog');
const TaskDialog = lazyNamed(() => import('#features/tasks/task-dialog.tsx'), 'TaskDialog');
const NewTaskDialog = lazyNamed(() => import('#features/tasks/new-task-dialog.tsx'), 'NewTaskDialog');

export default function ProjectPage() {
  const { projectId = '' } = useParams();
  // A value that is not an id would address a different endpoint, such as the statistics.
  return isId(projectId) ? <ProjectById id={projectId} /> : <NotFound />;
}

function ProjectById({ id }: { id: string }) {
  const query = useProject(id);
  // Deferred as in `AsyncContent`, which cannot be used here because it renders within a page.
  const isReady = useDeferredValue(query.data !== undefined);
  if (query.error?.status === 404) return <NotFound />;
  if (query.data && isReady) return <LoadedProject key={query.data._id} project={query.data} />;
  return (
    <Page title="Project">
      <AsyncContent query={query} failure="Failed to load the project" skeletons={<ProjectPageSkeleton />}>
        {() => null}
      </AsyncContent>
    </Page>
  );
}

const DEFAULT_VIEW = { view: 'board' };

function LoadedProject({ project }: { project: Project }) {
  const [newTask, setNewTask] = useState<TaskStatus>();
  // A render of its own, so that the board, which is most of the page, does not delay what is above it.
  const isBoardDue = useDeferredValue(true, false);
  const { opened, open, close } = useOverlayHistory('edit', 'team', 'health');
  const [{ view }, setView] = useUrlState(DEFAULT_VIEW);
  const isCharts = view === 'charts';
  const navigate = useNavigate();
  // A deleted project's page must not be in the history.
  const showAllProjects = () => void navigate('/progress', { replace: true });
  const openNewTask = project.abilities.createTasks ? (status: TaskStatus) => setNewTask(status) : undefined;
  return (
    <Page
      title={project.name}
      subtitle={
        <Description title={project.description} dir="auto">
          {project.description}
        </Description>
      }
      actions={
        <>
          <Suspense fallback={<NoticeLevelButton hidesLabelOnPhones />}>
            <NoticeLevelMenu resource="project" id={project._id} hidesLabelOnPhones />
          </Suspense>
          <ButtonLink to="/progress" icon={<ArrowLeft />}>
            All Projects
          </ButtonLink>
          {canEditProject(project) && (
            <Button icon={<Pencil />} onPress={() => open('edit', project._id)}>
              Edit
            </Button>
          )}
          {openNewTask && (
            <Button variant="primary" icon={<Plus />} onPress={() => openNewTask('todo')}>
              New Task
            </Button>
          )}
        </>
      }
    >
      <ProjectDetails
        project={project}
        isCharts={isCharts}
        onCharts={() => setView({ view: isCharts ? 'board' : 'charts' }, 'push')}
        onHealth={() => open('health', project._id)}
        onTeam={() => open('team', project._id)}
      />
      {!openNewTask && !isCharts && (
        <Text as="p" $tone="text2" $below={3}>
          {project.denialReasons.createTasks}.
        </Text>
      )}
      {isCharts ? (
        <Suspense fallback={<BoardSkeleton />}>
          <ProjectCharts
            project={project}
            renderTask={(id, onClose) => <TaskDialog key={id} id={id} project={project} onClose={onClose} />}
          />
          <ProjectMeetings project={project._id} />
        </Suspense>
      ) : isBoardDue ? (
        <>
          <TaskBoard project={project} onCreate={openNewTask} />
          {/* At the bottom: late content above would shift the board. */}
          <Suspense fallback={null}>
            <ProjectMeetings project={project._id} />
          </Suspense>
        </>
      ) : (
        <BoardSkeleton />
      )}
      <Suspense fallback={null}>
        {opened?.name === 'edit' && (
          <EditProjectDialog id={project._id} known={project} onClose={close} onDeleted={showAllProjects} />
        )}
        {opened?.name === 'health' && <HealthDialog project={project} onClose={close} />}
        {opened?.name === 'team' && <TeamDialog project={project} onClose={close} />}
        {newTask && <NewTaskDialog project={project} status={newTask} onClose={() => setNewTask(undefined)} />}
      </Suspense>
    </Page>
  );
}

function NotFound() {
  return (
    <Page title="Project">
      <EmptyState
        icon={<FolderX />}
        title="This project no longer exists"
        hint="It was deleted, or the link is wrong."
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
