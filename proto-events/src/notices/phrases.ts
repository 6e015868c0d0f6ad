// Browsers import this module, so it has no schemas.

import { isolate } from '../text/isolate.ts';

/** The words of a notification: after the name of an actor, and without one; `after` follows the title. */
export type Phrase = { active: string; passive: string; after?: string };

/** By the type of the event. */
export const PHRASES: Readonly<Record<string, Phrase>> = {
  'projects.member.added': { active: 'added you to the project', passive: 'You were added to the project' },
  'projects.member.joined': { active: 'joined the project', passive: 'New team member in' },
  'projects.member.departed': { active: 'removed a team member from', passive: 'A team member left' },
  'projects.manager.departed': { active: 'removed the manager of', passive: 'The project manager left' },
  'projects.manager.assigned': { active: 'made you the manager of', passive: 'You are now the manager of' },
  'projects.task.assigned': { active: 'assigned you the task', passive: 'You were assigned the task' },
  'projects.task.commented': { active: 'commented on', passive: 'New comment on' },
  'projects.task.due': { active: 'reminds you of', passive: 'Due soon:' },
  'documents.document.shared': { active: 'shared', passive: 'Shared with you:', after: 'with you' },
  'chat.direct_message.sent': { active: 'sent you', passive: 'New:' },
  'chat.channel_message.sent': { active: 'posted in', passive: 'New message in' },
  'chat.mention.sent': { active: 'mentioned you in', passive: 'You were mentioned in' },
  'chat.thread_reply.sent': { active: 'replied to a thread in', passive: 'New reply to a thread in' },
  'chat.reaction.sent': { active: 'reacted to your message in', passive: 'New reaction to your message in' },
  'meetings.meeting.scheduled': { active: 'invited you to', passive: 'You were invited to' },
  'meetings.meeting.closed': { active: 'closed', passive: 'Closed:', after: 'with a summary or decisions' },
  'meetings.meeting.updated': { active: 'changed', passive: 'Changed:' },
  'meetings.meeting.cancelled': { active: 'cancelled', passive: 'Cancelled:' },
  'meetings.participant.removed': { active: 'removed you from', passive: 'You were removed from' },
  'meetings.meeting.accepted': { active: 'accepted', passive: 'Accepted:' },
  'meetings.meeting.declined': { active: 'declined', passive: 'Declined:' },
  'meetings.meeting.tentative': { active: 'responded “Tentative” to', passive: 'Tentative:' },
  'auth.device.added': { active: 'signed in from', passive: 'New sign-in from' },
  'auth.password.changed': { active: 'changed the password for', passive: 'The password was changed for' },
  'auth.reset.made': {
    active: 'created a password reset link for',
    passive: 'A password reset link was created for',
  },
  'meetings.feed.created': { active: 'created a calendar link for', passive: 'A calendar link was created for' },
  'users.administrator.added': { active: 'is now an administrator of', passive: 'New administrator of' },
};

/** The subject of a sentence: the latest actor and those of the earlier events, such as 'Ada and 5 others'. */
export function nameActors(latestName: string, actorCount: number): string {
  if (actorCount <= 1) return isolate(latestName);
  return `${isolate(latestName)} and ${actorCount === 2 ? '1 other' : `${actorCount - 1} others`}`;
}

/** Of changes whose fields are not named. */
export const CHANGED: Phrase = { active: 'changed', passive: 'Changed:' };
