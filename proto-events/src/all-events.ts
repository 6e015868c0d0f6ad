import { type EventDefinition, isEventDefinition } from './event.ts';
import * as audit from './events/audit.ts';
import * as auth from './events/auth.ts';
import * as chat from './events/chat.ts';
import * as documents from './events/documents.ts';
import * as meetingClosing from './events/meeting-closing.ts';
import * as meetings from './events/meetings.ts';
import * as notifications from './events/notifications.ts';
import * as projects from './events/projects.ts';
import * as users from './events/users.ts';

export const ALL_EVENTS: readonly EventDefinition[] = [
  auth,
  users,
  projects,
  meetings,
  meetingClosing,
  documents,
  chat,
  notifications,
  audit,
]
  .flatMap((module) => Object.values<unknown>(module))
  .filter(isEventDefinition);
