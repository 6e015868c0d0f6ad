import { type Action, andAdmins, scopeOf, type Told } from './told.ts';

type InvitedAlone = { meetingId: string; aloneIds: string[] }[] | undefined;
type MeetingFacts = {
  meetingId: string;
  organizerId: string;
  participantIds: string[];
  version: number;
  removedIds?: string[];
  project?: string | null | undefined;
  changed?: string[];
};

export const meeting =
  (action: Action) =>
  (data: MeetingFacts): Told => ({
    topics: ['meetings'],
    audience: andAdmins(data.organizerId, ...data.participantIds, ...(data.removedIds ?? [])),
    // Of several of a series it names one; browsers ask again for any that is open.
    changes: [{ resource: 'meeting', id: data.meetingId, action, version: data.version, ...scopeOf(data) }],
  });

/** Who is invited to single meetings of a series only hears of those, and of no other of it. */
export const alone = ({
  invitedAlone = [],
  cancelledAlone = [],
}: {
  invitedAlone?: InvitedAlone;
  cancelledAlone?: InvitedAlone;
}) =>
  [...invitedAlone, ...cancelledAlone].map(
    ({ meetingId: id, aloneIds }): Told => ({
      topics: ['meetings'],
      audience: { users: aloneIds },
      changes: [{ resource: 'meeting', id, action: 'updated', version: 0 }],
    }),
  );
