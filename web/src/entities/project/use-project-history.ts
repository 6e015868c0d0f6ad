import type { getProjectHistory } from '@atrium/proto-events/http/project-history';
import type { getTaskStats } from '@atrium/proto-events/http/tasks';
import { useRead } from '#lib/query/use-read.ts';
import { browserTimeZone } from '#lib/time/time-zone.ts';

/** `from` is the start of a day in the time zone of the browser. */
export function useProjectHistory(id: string, from: Date) {
  return useRead<typeof getProjectHistory>('GET /projects/:id/history', {
    params: { id },
    query: { from: from.toISOString(), timezone: browserTimeZone() },
  });
}

export function useTaskStats(projectId: string) {
  return useRead<typeof getTaskStats>('GET /tasks/stats', { query: { projectId } });
}
