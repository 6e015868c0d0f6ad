import { projectDeleted } from '@atrium/proto-events/events/projects';
import type { Store } from '../store/store.ts';

/** A project by one of its versions. */
type Project = { id: string; version: number };

/** Asked of the record of what happened, which has an event before anything follows from it. What is deleted never comes again. */
export async function isDeleted({ activities }: Store, projectId: string): Promise<boolean> {
  return (await activities.exists({ subjectId: projectId, type: projectDeleted.type })) !== null;
}

/** Who of those that were in a project in one version of it is so in the newest that was heard of. */
export async function filterCurrentMembers(
  { projectPeople }: Store,
  { id, version }: Project,
  personIds: readonly string[],
): Promise<string[]> {
  const known = await projectPeople.findById(id).lean();
  const isNewer = known !== null && known.version > version;
  return personIds.filter((one) => !isNewer || known.peopleIds.includes(one));
}
