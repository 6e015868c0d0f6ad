import type { Project } from '@atrium/proto-events/http/projects';
import { FolderKanban, Plus } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useProjects } from '#entities/project/use-projects.ts';
import { useStableList } from '#lib/hooks/use-stable-order.ts';
import { Button } from '#ui/button.tsx';
import { DividedList } from '#ui/layout/primitives.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { Card } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { PriorityLegend } from './priority-legend.tsx';
import { ProjectRow } from './project-row.tsx';

type Props = {
  onOpen: (project: Project) => void;
  /** Undefined if the user cannot create projects. */
  onCreate?: (() => void) | undefined;
};

const SHOWN = 6;

/** The six most recently changed projects. */
export function RecentProjects({ onOpen, onCreate }: Props) {
  const answer = useProjects({ limit: SHOWN });
  const { items: projects, handlers } = useStableList(answer);
  return (
    <Card
      title="Recent Projects"
      action={<Link to="/progress-tracker">View All</Link>}
      footer={projects.length > 0 && <PriorityLegend />}
    >
      <AsyncContent
        query={answer}
        failure="Failed to load projects"
        skeletons={<SkeletonRows count={6} hasDisc={false} />}
      >
        {() =>
          projects.length > 0 ? (
            <DividedList {...handlers}>
              {projects.map((project) => (
                <li key={project._id}>
                  <ProjectRow project={project} onOpen={() => onOpen(project)} />
                </li>
              ))}
            </DividedList>
          ) : (
            <NoProjects onCreate={onCreate} />
          )
        }
      </AsyncContent>
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
          ? 'Projects bring people, meetings, and documents together.'
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
