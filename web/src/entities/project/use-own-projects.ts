import type { listMyProjects } from '@atrium/proto-events/http/projects';
import { useRead } from '#lib/query/use-read.ts';

const OPEN = 'not-started,in-progress,on-hold';
const MAX_PROJECTS = 100;

/** The user's open projects, in which tasks can be assigned to them. */
export function useOwnProjects() {
  const query = { status: OPEN, limit: MAX_PROJECTS, people: 1 };
  return useRead<typeof listMyProjects>('GET /projects/my-projects', { query });
}
