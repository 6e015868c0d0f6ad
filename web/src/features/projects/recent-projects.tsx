import type { Project } from '@atrium/proto-events/http/projects';
import { FolderKanban, Plus } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { PRIORITY_COLORS, priorityLabel } from '#entities/priority.ts';
import { displayPriority } from '#entities/project/project-labels.ts';
import { StatusPill } from '#entities/project/status-pill.tsx';
import { useProjects } from '#entities/project/use-projects.ts';
import { AvatarStack } from '#entities/user/avatar-stack.tsx';
import { useStableList } from '#lib/hooks/use-stable-order.ts';
import { Button } from '#ui/button.tsx';
import { DividedList, Inline, TwoLineText } from '#ui/layout/primitives.ts';
import { bareButton } from '#ui/mixins.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { Card } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ProgressBar } from '#ui/pages/progress-bar.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';

type Props = {
  onOpen: (project: Project) => void;
  onCreate?: (() => void) | undefined;
};

const MAX_PROJECTS = 6;

export function RecentProjects({ onOpen, onCreate }: Props) {
  const projectPage = useProjects({ limit: MAX_PROJECTS });
  const { items: projects, handlers } = useStableList(projectPage);
  const isLoading = projectPage.data === undefined && projectPage.error === undefined;
  return (
    <Card
      title="Recent Projects"
      action={<Link to="/progress-tracker">View All</Link>}
      footer={(isLoading || projects.length > 0) && <PriorityLegend />}
    >
      <AsyncContent
        query={projectPage}
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

const MAX_AVATARS = 3;

type ProjectRowProps = { project: Project; onOpen: () => void };

function ProjectRow({ project, onOpen }: ProjectRowProps) {
  const priority = displayPriority(project.priority);
  return (
    <Row onPress={onOpen} $priority={priority}>
      <TwoLineText as="div">
        <strong title={project.name} dir="auto">
          {project.name}
        </strong>
        <small title={project.description} dir="auto">
          {project.description}
        </small>
        <VisuallyHidden>{`, ${priority} priority`}</VisuallyHidden>
      </TwoLineText>
      <ProgressBar value={project.progress} label={`Progress of ${project.name}`} />
      <Inline as="span" $align="stretch">
        <StatusPill status={project.status} />
      </Inline>
      <AvatarStack users={project.teamMembers} count={project.memberCount} max={MAX_AVATARS} />
    </Row>
  );
}

const Row = styled(AriaButton)<{ $priority: keyof typeof PRIORITY_COLORS }>`
  position: relative;
  display: grid;
  grid-template-columns: minmax(0, 1fr) 150px 96px 88px;
  gap: ${theme.space[4]};
  align-items: center;
  width: 100%;
  min-height: 62px;
  padding: ${theme.space[3]} ${theme.gutter.card};
  ${bareButton}
  text-align: start;
  &::before {
    content: '';
    position: absolute;
    inset: 10px auto 10px 0;
    width: 3px;
    border-radius: 0 3px 3px 0;
    background: ${({ $priority }) => PRIORITY_COLORS[$priority]};
  }
  &[data-hovered] {
    background: ${theme.color.hover};
  }
  &[data-focus-visible] {
    outline: none;
    box-shadow: inset 0 0 0 2px ${theme.color.accent};
    border-radius: ${theme.radius.md};
  }
  @media (max-width: 1359px) {
    grid-template-columns: minmax(0, 1fr) 116px 94px 80px;
    gap: ${theme.space[3]};
  }
  ${theme.media.compact} {
    grid-template-columns: minmax(0, 1fr) 130px 96px;
    > ul {
      display: none;
    }
  }
  ${theme.media.small} {
    grid-template-columns: minmax(0, 1fr) auto;
    gap: ${theme.space[2]} ${theme.space[3]};
    > div:nth-of-type(2) {
      grid-row: 2;
      grid-column: 1 / -1;
    }
  }
`;

const SHOWN_PRIORITIES = ['high', 'medium', 'low'] as const;

function PriorityLegend() {
  return (
    <Inline as="p" $gap={4} $rowGap={1} $wraps $size="sm" $tone="text2">
      <span>Priority:</span>
      {SHOWN_PRIORITIES.map((priority) => (
        <Entry key={priority} style={{ '--mark': PRIORITY_COLORS[priority] }}>
          {priorityLabel(priority)}
        </Entry>
      ))}
    </Inline>
  );
}

const Entry = styled.span`
  display: inline-flex;
  align-items: center;
  gap: ${theme.space[2]};
  &::before {
    content: '';
    width: 3px;
    height: 14px;
    border-radius: 3px;
    background: var(--mark);
  }
`;
