import type { Project } from '@atrium/proto-events/http/projects';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { PRIORITY_COLORS } from '#entities/priority.ts';
import { shownPriority } from '#entities/project/project-labels.ts';
import { StatusPill } from '#entities/project/status-pill.tsx';
import { AvatarStack } from '#entities/user/avatar-stack.tsx';
import { Inline, TwoLineText } from '#ui/layout/primitives.ts';
import { bareButton } from '#ui/mixins.ts';
import { ProgressBar } from '#ui/pages/progress-bar.tsx';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';

const MAX_AVATARS = 3;

type Props = { project: Project; onOpen: () => void };

/** One line about a project; the edge color is its priority. */
export function ProjectRow({ project, onOpen }: Props) {
  const priority = shownPriority(project.priority);
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
      <ProgressBar value={project.progress} label={`Progress of ${project.name}`} isValueShown />
      <Inline as="span" $align="stretch">
        <StatusPill status={project.status} />
      </Inline>
      <AvatarStack people={project.teamMembers} count={project.memberCount} max={MAX_AVATARS} />
    </Row>
  );
}

const Row = styled(Button)<{ $priority: keyof typeof PRIORITY_COLORS }>`
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
