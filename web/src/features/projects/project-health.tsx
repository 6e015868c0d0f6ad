import type { Project } from '@atrium/proto-events/http/projects';
import { Activity } from 'lucide-react';
import { styled } from 'styled-components';
import { HealthPill } from '#entities/project/health-pill.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { Button } from '#ui/button.tsx';
import { Caption, Text } from '#ui/layout/primitives.ts';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';

type Props = { project: Project; onReport: () => void };

/** What the manager reported last. Users who cannot report see nothing until then. */
export function ProjectHealth({ project: { health, abilities }, onReport }: Props) {
  if (!health && !abilities.reportHealth) return null;
  return (
    <Strip role="group" aria-label="Health">
      {health ? (
        <Report>
          <HealthPill health={health} />
          <Text $breaks dir="auto">
            {health.note}
          </Text>
          <Caption>
            <bdi>{displayName(health.updatedBy)}</bdi>, <RelativeTime time={health.updatedAt} />
          </Caption>
        </Report>
      ) : (
        <Caption>The health of this project has not been reported yet.</Caption>
      )}
      {abilities.reportHealth && (
        <Button size="sm" icon={<Activity />} onPress={onReport}>
          {health ? 'Update health' : 'Report health'}
        </Button>
      )}
    </Strip>
  );
}

const Strip = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[3]};
  padding: ${theme.space[3]} ${theme.gutter.card};
  border-top: 1px solid ${theme.color.line};
  ${theme.media.small} {
    padding: ${theme.space[2]} ${theme.space[4]};
  }
`;

const Report = styled.div`
  display: flex;
  flex: 1;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[1]} ${theme.space[3]};
  min-width: 0;
`;
