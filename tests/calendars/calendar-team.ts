import type { createMeetingBody, Meeting, updateMeetingBody } from '@atrium/proto-events/http/meeting-fields';
import type { DirectoryUser } from '@atrium/proto-events/people';
import type { z } from 'zod';

export type Scope = 'this' | 'following' | 'all';
export type Status = 'accepted' | 'declined' | 'tentative';
export type ReceivedEmail = { to: DirectoryUser; text: string };

/** Where users schedule and respond, and the emails that follow. A rejected call throws an AppError. */
export type CalendarTeam = {
  know(person: DirectoryUser): void;
  create(person: DirectoryUser, body: z.output<typeof createMeetingBody>): Promise<unknown>;
  change(
    person: DirectoryUser,
    id: string,
    { scope, body }: { scope: Scope; body: z.output<typeof updateMeetingBody> },
  ): Promise<Meeting>;
  cancel(person: DirectoryUser, id: string, scope: Scope): Promise<unknown>;
  respond(person: DirectoryUser, id: string, { scope, status }: { scope: Scope; status: Status }): Promise<unknown>;
  /** All meetings that `GET /meetings` returns for a user. */
  list(person: DirectoryUser): Promise<Meeting[]>;
  /** The user's calendar feed. */
  feed(person: DirectoryUser): Promise<string>;
  /** The emails since the last call, in order of arrival; waits for emails in flight. */
  emails(people: readonly DirectoryUser[]): Promise<ReceivedEmail[]>;
  /** Whether changes in quick succession are combined into one email. */
  mergesEmails?: boolean;
  /** Extends endless series as they will be in that many days; absent if only the service's own clock does that. */
  fillAhead?(days: number): Promise<void>;
  close(): Promise<void>;
};
