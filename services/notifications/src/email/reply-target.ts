import { getTaskDenials } from '@atrium/proto-events/abilities/projects';
import type { DirectoryUser } from '@atrium/proto-events/people';
import type { NotificationRecord, ProjectMembersRecord, ReplyTarget } from '../store/records.ts';
import type { Store } from '../store/store.ts';

export function canComment(
  { _id: userId, role }: DirectoryUser,
  project: Pick<ProjectMembersRecord, 'peopleIds'> | null,
): boolean {
  const membership = project?.peopleIds.includes(userId) ? 'member' : null;
  return getTaskDenials({ userId, role }, { membership, assigneeId: null, creatorId: '' }).comment === undefined;
}

/** What a reply to an email about a single notification is added to; undefined if the user cannot add anything. */
export async function findReplyTarget(
  { projectMembers }: Store,
  { replyTarget, resource, subjectId, projectId }: NotificationRecord,
  user: DirectoryUser,
): Promise<ReplyTarget | undefined> {
  if (replyTarget || resource !== 'task' || projectId === undefined) return replyTarget;
  const project = await projectMembers.findById(projectId).lean();
  return canComment(user, project) ? { kind: 'task', id: subjectId } : undefined;
}
