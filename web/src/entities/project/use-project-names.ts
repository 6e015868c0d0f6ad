import type { listProjects } from '@atrium/proto-events/http/projects';
import { useRead } from '#lib/query/use-read.ts';

export type ProjectNames = ReadonlyMap<string, string>;

/** As many as one request can name. */
const MAX_PROJECTS = 100;

/** Reads the names of the projects that are shown. */
export function useProjectNames(ids: readonly string[]): ProjectNames {
  const distinctIds = [...new Set(ids)].toSorted().slice(0, MAX_PROJECTS);
  const query = { ids: distinctIds.join(','), limit: MAX_PROJECTS, people: 1 };
  const { data } = useRead<typeof listProjects>('GET /projects', distinctIds.length > 0 ? { query } : null);
  return new Map(data?.data.map(({ _id, name }) => [_id, name]));
}
