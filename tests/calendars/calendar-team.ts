import type { createMeetingBody, Meeting, updateMeetingBody } from '@atrium/proto-events/http/meeting-fields';
import type { DirectoryUser } from '@atrium/proto-events/people';
import type { z } from 'zod';

export type Scope = 'this' | 'following' | 'all';
export type Status = 'accepted' | 'declined' | 'tentative';
export type Mail = { to: DirectoryUser; text: string };

/** Where people schedule and answer, and the mails that follow. What is refused throws an AppError. */
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
  /** All that `GET /meetings` shows to a person. */
  list(person: DirectoryUser): Promise<Meeting[]>;
  /** What a calendar program gets that has subscribed to the person's meetings. */
  feed(person: DirectoryUser): Promise<string>;
  /** The mails that have come since they were last asked for, in the order in which they arrived; waits for what is on its way. */
  mails(people: readonly DirectoryUser[]): Promise<Mail[]>;
  /** Whether changes that follow each other closely are one email. */
  mergesMails?: boolean;
  /** Has series without an end filled as they will be in so many days; absent where the service's own clock alone does that. */
  fillAhead?(days: number): Promise<void>;
  close(): Promise<void>;
};
