import { type Endpoint, isEndpoint } from './endpoint.ts';
import * as activity from './http/activity.ts';
import * as auth from './http/auth.ts';
import * as changes from './http/changes.ts';
import * as chatAttachments from './http/chat/attachments.ts';
import * as chatChannels from './http/chat/channels.ts';
import * as chat from './http/chat/conversations.ts';
import * as chatDrafts from './http/chat/drafts.ts';
import * as chatEmoji from './http/chat/emoji.ts';
import * as chatForwarding from './http/chat/forwarding.ts';
import * as chatMessages from './http/chat/messages.ts';
import * as chatPins from './http/chat/pins.ts';
import * as chatPolls from './http/chat/polls.ts';
import * as chatScheduled from './http/chat/scheduled.ts';
import * as chatSearch from './http/chat/search.ts';
import * as chatSending from './http/chat/sending.ts';
import * as chatThreads from './http/chat/threads.ts';
import * as chatUnread from './http/chat/unread.ts';
import * as departments from './http/departments.ts';
import * as documentAccess from './http/document-access.ts';
import * as documentUploads from './http/document-uploads.ts';
import * as documentVersions from './http/document-versions.ts';
import * as documents from './http/documents.ts';
import * as gateway from './http/gateway.ts';
import * as invitations from './http/invitations.ts';
import * as meetingFeed from './http/meetings/calendar-feed.ts';
import * as meetingClosing from './http/meetings/closing.ts';
import * as meetings from './http/meetings/meetings.ts';
import * as meetingNotes from './http/meetings/notes.ts';
import * as meetingPlanning from './http/meetings/planning.ts';
import * as rooms from './http/meetings/rooms.ts';
import * as noticeLevels from './http/notices/levels.ts';
import * as push from './http/notices/push.ts';
import * as notices from './http/notices/settings.ts';
import * as unsubscribe from './http/notices/unsubscribe.ts';
import * as notifications from './http/notifications.ts';
import * as passwords from './http/passwords.ts';
import * as previews from './http/previews.ts';
import * as projectHistory from './http/project-history.ts';
import * as projectTeam from './http/project-team.ts';
import * as projects from './http/projects.ts';
import * as documentSearch from './http/search/documents.ts';
import { searchEverything } from './http/search/everything.ts';
import * as meetingSearch from './http/search/meetings.ts';
import * as projectSearch from './http/search/projects.ts';
import * as userSearch from './http/search/users.ts';
import * as tasks from './http/tasks.ts';
import * as users from './http/users.ts';
import * as workload from './http/workload.ts';

export type ServiceName =
  | 'auth'
  | 'users'
  | 'projects'
  | 'meetings'
  | 'documents'
  | 'chat'
  | 'notifications'
  | 'gateway';

const MODULES: Readonly<Record<ServiceName, Readonly<Record<string, unknown>>>> = {
  auth: { ...auth, ...invitations, ...passwords },
  users: { ...users, ...notices, ...noticeLevels, ...departments, ...userSearch },
  projects: { ...projects, ...projectTeam, ...projectHistory, ...tasks, ...workload, ...projectSearch },
  meetings: {
    ...meetings,
    ...meetingPlanning,
    ...meetingFeed,
    ...rooms,
    ...meetingClosing,
    ...meetingNotes,
    ...meetingSearch,
  },
  documents: {
    ...documents,
    ...documentUploads,
    ...documentVersions,
    ...previews,
    ...documentAccess,
    ...documentSearch,
  },
  chat: {
    ...chat,
    ...chatChannels,
    ...chatMessages,
    ...chatSending,
    ...chatSearch,
    ...chatThreads,
    ...chatUnread,
    ...chatForwarding,
    ...chatPolls,
    ...chatPins,
    ...chatEmoji,
    ...chatDrafts,
    ...chatScheduled,
    ...chatAttachments,
    ...changes,
  },
  notifications: { ...notifications, ...push, ...unsubscribe, ...activity },
  gateway: { ...gateway, searchEverything },
};

export const ALL_ENDPOINTS: readonly { service: ServiceName; name: string; endpoint: Endpoint }[] = (
  Object.entries(MODULES) as [ServiceName, Record<string, unknown>][]
).flatMap(([service, exports]) =>
  Object.entries(exports).flatMap(([name, value]) => (isEndpoint(value) ? [{ service, name, endpoint: value }] : [])),
);
