import type { Project } from '@atrium/proto-events/http/projects';
import { Pill } from '#ui/pill.tsx';
import { displayStatus } from './project-labels.ts';

export function StatusPill({ status }: Pick<Project, 'status'>) {
  const { label, tone } = displayStatus(status);
  return <Pill tone={tone}>{label}</Pill>;
}
