import { projectDeleted } from '@atrium/proto-events/events/projects';
import type { Store } from '../store/store.ts';

type Project = { id: string; version: number };

/** Reads the activity records, which are written before any effect of an event. Deletions are final. */
export async function isDeleted({ activities }: Store, projectId: string): Promise<boolean> {
  return (await activities.exists({ subjectId: projectId, type: projectDeleted.type })) !== null;
}

/** Filters the members of a project version to those who are still members in the latest known version. */
export async function filterCurrentMembers(
  { projectPeople }: Store,
  { id, version }: Project,
  personIds: readonly string[],
): Promise<string[]> {
  const known = await projectPeople.findById(id).lean();
  const isNewer = known !== null && known.version > version;
  return personIds.filter((one) => !isNewer || known.peopleIds.includes(one));
}
