import type { Project } from '@atrium/proto-events/http/projects';
import { FolderKanban, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { messageOf } from '../../lib/api/api-error.ts';
import { useSteadyList } from '../../lib/use-steady-order.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/pages/card.tsx';
import { EmptyState } from '../../ui/pages/empty-state.tsx';
import { ErrorState } from '../../ui/pages/error-state.tsx';
import { SkeletonRows } from '../../ui/pages/skeleton.tsx';
import { theme } from '../../ui/theme.ts';
import { ProjectRow } from './project-row.tsx';
import { useRecentProjects } from './use-projects.ts';

type Props = {
  onOpen: (project: Project) => void;
  /** Absent for those who may not create. */
  onCreate?: (() => void) | undefined;
};

/** The six projects that changed last. */
export function RecentProjects({ onOpen, onCreate }: Props) {
  const answer = useRecentProjects();
  const { data, error, isValidating, mutate } = answer;
  const { items: projects, handlers } = useSteadyList(answer);
  const content = (): ReactNode => {
    if (projects.length > 0)
      return (
        <ul {...handlers}>
          {projects.map((project) => (
            <Item key={project._id}>
              <ProjectRow project={project} onOpen={() => onOpen(project)} />
            </Item>
          ))}
        </ul>
      );
    if (data) return <NoProjects onCreate={onCreate} />;
    if (error)
      return (
        <ErrorState
          title="Failed to load projects"
          detail={messageOf(error, '')}
          onRetry={() => void mutate()}
          isRetrying={isValidating}
        />
      );
    return <SkeletonRows count={6} hasDisc={false} />;
  };
  return (
    <Card title="Recent Projects" action={<Link to="/progress-tracker">View All</Link>}>
      {content()}
    </Card>
  );
}

function NoProjects({ onCreate }: Pick<Props, 'onCreate'>) {
  return (
    <EmptyState
      icon={<FolderKanban />}
      title="No projects yet"
      hint={
        onCreate
          ? 'Projects bring people, meetings and documents together.'
          : 'Projects will appear here as soon as an administrator creates one.'
      }
      action={
        onCreate && (
          <Button onPress={onCreate} icon={<Plus />}>
            Create Your First Project
          </Button>
        )
      }
    />
  );
}

const Item = styled.li`
  & + & {
    border-top: 1px solid ${theme.color.line};
  }
  &:last-child > button {
    border-radius: 0 0 ${theme.radius.lg} ${theme.radius.lg};
  }
`;
