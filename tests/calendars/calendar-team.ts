import type { createMeetingBody, Meeting, updateMeetingBody } from '@atrium/proto-events/http/meetings/meeting-fields';
import type { DirectoryUser } from '@atrium/proto-events/people';
import type { z } from 'zod';

export type Scope = 'this' | 'following' | 'all';
export type Status = 'accepted' | 'declined' | 'tentative';
export type ReceivedEmail = { to: DirectoryUser; text: string };

/** A team whose members schedule meetings, respond, and receive emails. A rejected call throws an AppError. */
export type CalendarTeam = {
  addUser(user: DirectoryUser): void;
  create(user: DirectoryUser, body: z.output<typeof createMeetingBody>): Promise<unknown>;
  change(
    user: DirectoryUser,
    id: string,
    { scope, body }: { scope: Scope; body: z.output<typeof updateMeetingBody> },
  ): Promise<Meeting>;
  cancel(user: DirectoryUser, id: string, scope: Scope): Promise<unknown>;
  respond(user: DirectoryUser, id: string, { scope, status }: { scope: Scope; status: Status }): Promise<unknown>;
  /** Lists all meetings that `GET /meetings` returns for a user. */
  list(user: DirectoryUser): Promise<Meeting[]>;
  /** Returns the text of the user's calendar feed. */
  feed(user: DirectoryUser): Promise<string>;
  /** Waits for emails in flight, and returns the emails since the last call in order of arrival. */
  emails(users: readonly DirectoryUser[]): Promise<ReceivedEmail[]>;
  /** Whether changes in quick succession are combined into one email. */
  mergesEmails?: boolean;
  /** Extends endless series as if that many days had passed. Undefined if only the service's own clock extends them. */
  fillAhead?(days: number): Promise<void>;
  close(): Promise<void>;
};
