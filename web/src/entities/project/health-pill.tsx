import type { HealthStatus, Project } from '@atrium/proto-events/http/projects';
import { CircleCheck, type LucideIcon, OctagonX, TriangleAlert } from 'lucide-react';
import { Pill, type PillTone } from '#ui/pill.tsx';

/** Shapes differ as well, so that the health is readable without color. */
const HEALTH: Readonly<Record<HealthStatus, { label: string; tone: PillTone; icon: LucideIcon }>> = {
  'on-track': { label: 'On track', tone: 'success', icon: CircleCheck },
  'at-risk': { label: 'At risk', tone: 'warning', icon: TriangleAlert },
  'off-track': { label: 'Off track', tone: 'danger', icon: OctagonX },
};

export const HEALTH_OPTIONS = (Object.keys(HEALTH) as HealthStatus[]).map((value) => ({
  value,
  label: HEALTH[value].label,
}));

export function HealthPill({ health: { status, note } }: { health: NonNullable<Project['health']> }) {
  const { label, tone, icon: Icon } = HEALTH[status];
  return (
    <Pill tone={tone} icon={<Icon aria-hidden="true" />} title={note}>
      {label}
    </Pill>
  );
}
