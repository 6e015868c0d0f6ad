import { isolate } from '@atrium/proto-events/text/isolate';
import { useProject } from './use-projects.ts';

/** The current name of a project known only by id. */
export function ProjectName({ id }: { id: string }) {
  const { data, error } = useProject(id);
  if (data) return isolate(data.name);
  return error?.status === 404 ? 'a deleted project' : 'a project';
}
