import type { updateProjectBody } from '@atrium/proto-events/http/projects';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { z } from 'zod';

export const COMPLETED_IS_FINAL = 'Cannot revert status from "Completed". Completed projects are final.';

type Present = { status: string; progress: number };
type Change = Pick<z.output<typeof updateProjectBody>, 'status' | 'progress'>;

/** Throws `conflict` for the first violation. */
export function assertChangeAllowed(before: Present, change: Change): void {
  const reason = findViolation(before, change);
  if (reason !== undefined) throw new AppError('conflict', reason);
}

function findViolation(before: Present, { status, progress }: Change): string | undefined {
  if (before.status === 'completed') return COMPLETED_IS_FINAL;
  if (progress === undefined || progress === before.progress) return undefined;
  if (progress < before.progress) return `Progress cannot decrease from ${before.progress}% to ${progress}%`;
  if (!['in-progress', 'completed'].includes(status ?? before.status)) {
    return 'Progress can only be updated when status is "In Progress" or "Completed"';
  }
  return undefined;
}
