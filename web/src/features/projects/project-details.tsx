import type { Project } from '@atrium/proto-events/http/projects';
import { ChartColumn, ChevronDown, ChevronUp, SquareKanban, UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { priorityLabel } from '#entities/priority.ts';
import { displayStatus, dueDay, isOverdue } from '#entities/project/project-labels.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { AvatarStack } from '#entities/user/avatar-stack.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { useToday } from '#lib/hooks/use-now.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { dateOfDay } from '#lib/time/day.ts';
import { formatTime } from '#lib/time/formats.ts';
import { Button } from '#ui/button.tsx';
import { HiddenOnMobile, MobileOnly, useCollapsible } from '#ui/collapsible.tsx';
import { Text } from '#ui/layout/primitives.ts';
import { captionStyles } from '#ui/mixins.ts';
import { CardSurface } from '#ui/pages/card.tsx';
import { ProgressBar } from '#ui/pages/progress-bar.tsx';
import { Pill } from '#ui/pill.tsx';
import { theme } from '#ui/theme.ts';
import { ProjectHealth } from './project-health.tsx';
import { ProjectLinks } from './project-links.tsx';

const MAX_AVATARS = 3;

type Props = {
  project: Project;
  /** Whether charts are shown in place of the board. */
  isCharts: boolean;
  onCharts: () => void;
  onHealth: () => void;
  onTeam: () => void;
};

export function ProjectDetails({ project, isCharts, onCharts, onHealth, onTeam }: Props) {
  const status = displayStatus(project.status);
  const { isOpen, button, content } = useCollapsible();
  const isLate = isOverdue(project, useToday());
  return (
    <Surface as="section" aria-label="About the project">
      <List {...content}>
        <DetailItem name="Status">
          <Pill tone={status.tone}>{project.status === 'cancelled' ? 'Cancelled' : status.label}</Pill>
        </DetailItem>
        <DetailItem name="Priority" isCollapsedOnMobile>
          {priorityLabel(project.priority)}
        </DetailItem>
        <DetailItem name="Progress" isWide>
          <ProgressBar value={project.progress} label="Progress of the project" />
          <Button
            size="sm"
            icon={isCharts ? <SquareKanban /> : <ChartColumn />}
            aria-label={isCharts ? 'Board' : 'Charts'}
            onPress={onCharts}
          >
            <HiddenOnMobile>{isCharts ? 'Board' : 'Charts'}</HiddenOnMobile>
          </Button>
        </DetailItem>
        <DetailItem name="Project manager" isCollapsedOnMobile>
          <Avatar user={project.projectManager} size={24} />
          <Text $clamp={1} title={displayName(project.projectManager)} dir="auto">
            {displayName(project.projectManager)}
          </Text>
        </DetailItem>
        <DetailItem name="Start" isCollapsedOnMobile>
          {formatDay(project.startDate?.slice(0, 10) ?? '')}
        </DetailItem>
        <DetailItem name={isLate ? 'Overdue since' : 'Due'} isLate={isLate}>
          {formatDay(dueDay(project))}
        </DetailItem>
        <DetailItem name="Budget" isCollapsedOnMobile>
          {project.budget === null ? 'Not set' : formatNumber(project.budget)}
        </DetailItem>
        <DetailItem name="Team" isWide isCollapsedOnMobile>
          <AvatarStack users={project.teamMembers} count={project.memberCount} max={MAX_AVATARS} size={24} />
          <Button size="sm" icon={<UsersRound />} onPress={onTeam}>
            {project.abilities.manageMembers ? 'Manage team' : 'View team'}
          </Button>
        </DetailItem>
      </List>
      <ProjectHealth project={project} onReport={onHealth} />
      <More>
        <Button {...button} variant="ghost" icon={isOpen ? <ChevronUp /> : <ChevronDown />} isFullWidth>
          Project details
        </Button>
      </More>
      <ProjectLinks project={project} />
    </Surface>
  );
}

type DetailItemProps = {
  name: string;
  children: ReactNode;
  isWide?: boolean;
  isLate?: boolean;
  /** Collapsed on phones, to keep the board on the first screen. */
  isCollapsedOnMobile?: boolean;
};

function DetailItem({ name, children, isWide = false, isLate = false, isCollapsedOnMobile = false }: DetailItemProps) {
  return (
    <Cell $wide={isWide} data-collapsed-on-mobile={isCollapsedOnMobile}>
      <dt>{name}</dt>
      <Value $isLate={isLate}>{children}</Value>
    </Cell>
  );
}

function formatDay(day: string): string {
  return formatTime(dateOfDay(day), { day: 'numeric', month: 'short', year: 'numeric' }) || 'Not set';
}

const Surface = styled(CardSurface)`
  margin-bottom: ${theme.space[6]};
  overflow: hidden;
  ${theme.media.compact} {
    margin-bottom: ${theme.space[5]};
  }
`;

/* Aligned with the columns of the board below. */
const List = styled.dl`
  display: grid;
  grid-template-columns: repeat(4, minmax(0, 1fr));
  gap: ${theme.space[3]} ${theme.space[5]};
  padding: ${theme.space[4]} ${theme.gutter.card};
  @media (max-width: 859px) {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
  ${theme.media.small} {
    padding: ${theme.space[3]} ${theme.space[4]};
    &[data-collapsed='true'] {
      grid-template-columns: auto minmax(0, 1fr) auto;
      > * {
        grid-column: auto;
      }
      > [data-collapsed-on-mobile='true'] {
        display: none;
      }
    }
  }
  /* Three columns would cut off the progress. */
  @media (max-width: 359px) {
    &[data-collapsed='true'] {
      grid-template-columns: auto minmax(0, 1fr);
    }
  }
`;

const More = styled(MobileOnly)`
  border-top: 1px solid ${theme.color.line};
`;

const Cell = styled.div<{ $wide: boolean }>`
  min-width: 0;
  dt {
    ${captionStyles}
  }
  ${theme.media.small} {
    grid-column: ${({ $wide }) => ($wide ? '1 / -1' : 'auto')};
  }
`;

const Value = styled.dd<{ $isLate: boolean }>`
  display: flex;
  min-width: 0;
  align-items: center;
  gap: ${theme.space[2]};
  min-height: 32px;
  font-weight: 500;
  font-variant-numeric: tabular-nums;
  color: ${({ $isLate }) => ($isLate ? theme.color.danger : theme.color.text)};
  > div {
    flex: 1;
  }
`;
