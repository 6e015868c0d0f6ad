import type { Project } from '@atrium/proto-events/http/projects';
import { CalendarDays, Ellipsis, Pencil, SquareKanban } from 'lucide-react';
import { Link, useNavigate } from 'react-router-dom';
import { styled } from 'styled-components';
import { PRIORITY_COLORS, priorityLabel } from '#entities/priority.ts';
import { HealthPill } from '#entities/project/health-pill.tsx';
import { canEditProject, displayPriority, dueDateLabel, dueDay, isOverdue } from '#entities/project/project-labels.ts';
import { StatusPill } from '#entities/project/status-pill.tsx';
import { AvatarStack } from '#entities/user/avatar-stack.tsx';
import { useToday } from '#lib/hooks/use-now.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { captionStyles, clampLines, ellipsis, iconSize, inlineStyles, stretchedLink } from '#ui/mixins.ts';
import { Menu, MenuItem } from '#ui/overlays/menu.tsx';
import { CardSurface } from '#ui/pages/card.tsx';
import { ProgressBar } from '#ui/pages/progress-bar.tsx';
import { theme } from '#ui/theme.ts';

const MAX_AVATARS = 3;

type Props = { project: Project; onEdit: () => void };

export function ProjectCard({ project, onEdit }: Props) {
  const today = useToday();
  const priority = displayPriority(project.priority);
  const path = `/progress/${project._id}`;
  return (
    <Surface as="article" aria-label={project.name} data-priority={priority}>
      <Head>
        <h3>
          <CardLink to={path} title={project.name} dir="auto">
            {project.name}
          </CardLink>
        </h3>
        <StatusPill status={project.status} />
        <CardMenu project={project} path={path} onEdit={onEdit} />
      </Head>
      <Description title={project.description} dir="auto">
        {project.description}
      </Description>
      <ProgressBar value={project.progress} label={`Progress of ${project.name}`} />
      <Foot>
        <Due $isOverdue={isOverdue(project, today)}>
          <CalendarDays aria-hidden="true" />
          {dueDay(project) ? <span>{dueDateLabel(project, today)}</span> : 'No due date'}
        </Due>
        {project.health && <HealthPill health={project.health} />}
        <Priority $priority={priority}>{priorityLabel(priority)} priority</Priority>
        <AvatarStack users={project.teamMembers} count={project.memberCount} max={MAX_AVATARS} />
      </Foot>
    </Surface>
  );
}

function CardMenu({ project, path, onEdit }: Props & { path: string }) {
  const navigate = useNavigate();
  return (
    <MenuLayer>
      <Menu
        label={`Actions for ${project.name}`}
        trigger={
          <IconButton label={`Actions for ${project.name}`}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem icon={<SquareKanban />} onAction={() => void navigate(path)}>
          Open
        </MenuItem>
        {canEditProject(project) && (
          <MenuItem icon={<Pencil />} onAction={onEdit}>
            Edit
          </MenuItem>
        )}
      </Menu>
    </MenuLayer>
  );
}

const Surface = styled(CardSurface)`
  position: relative;
  display: flex;
  flex-direction: column;
  gap: ${theme.space[3]};
  padding: ${theme.space[3]} ${theme.space[5]} ${theme.space[4]} 22px;
  border-inline-start-width: 4px;
  transition: box-shadow ${theme.motion.fast};
  &[data-priority='high'] {
    border-inline-start-color: ${PRIORITY_COLORS.high};
  }
  &[data-priority='medium'] {
    border-inline-start-color: ${PRIORITY_COLORS.medium};
  }
  &[data-priority='low'] {
    border-inline-start-color: ${PRIORITY_COLORS.low};
  }
  &:hover {
    box-shadow: ${theme.shadow.float};
  }
  ${theme.media.compact} {
    padding: ${theme.space[2]} ${theme.space[4]} ${theme.space[4]};
  }
`;

const Head = styled.div`
  ${inlineStyles(2)}
  margin-inline-end: -10px;
  h3 {
    flex: 1;
    min-width: 0;
    ${ellipsis}
  }
`;

const CardLink = styled(Link)`
  ${stretchedLink}
  &::after {
    border-radius: ${theme.radius.lg};
  }
  &:focus-visible::after {
    box-shadow: ${theme.shadow.focus};
  }
`;

const MenuLayer = styled.div`
  position: relative;
  display: flex;
`;

const Description = styled.p`
  ${clampLines(2)}
  margin-bottom: auto;
  color: ${theme.color.text2};
`;

const Foot = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[2]} ${theme.space[4]};
  min-height: 26px;
  ${captionStyles}
  > ul {
    position: relative;
    margin-inline-start: auto;
  }
`;

const Due = styled.span<{ $isOverdue: boolean }>`
  display: inline-flex;
  align-items: center;
  gap: 6px;
  font-variant-numeric: tabular-nums;
  color: ${({ $isOverdue }) => ($isOverdue ? theme.color.danger : 'inherit')};
  ${iconSize(14)}
`;

const Priority = styled.span<{ $priority: keyof typeof PRIORITY_COLORS }>`
  display: inline-flex;
  align-items: center;
  gap: 6px;
  &::before {
    content: '';
    width: 8px;
    height: 8px;
    border-radius: 2px;
    background: ${({ $priority }) => PRIORITY_COLORS[$priority]};
  }
`;
