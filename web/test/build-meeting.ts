import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';

/** Builds an upcoming meeting without a series; the caller has every permission except to respond. */
export function buildMeeting(overrides: Partial<Meeting> = {}): Meeting {
  const organizer = { _id: 'c'.repeat(24), firstName: 'Paul', lastName: 'Manager' };
  return {
    _id: 'b'.repeat(24),
    seriesId: null,
    title: 'Portal stand-up',
    description: '',
    type: 'standup',
    startTime: '2031-11-20T09:10:00.000Z',
    endTime: '2031-11-20T09:40:00.000Z',
    timezone: 'UTC',
    location: '',
    meetingLink: 'https://meet.example.org/portal',
    agenda: '',
    agendaItems: [],
    notes: '',
    summary: '',
    project: null,
    room: null,
    organizer,
    participants: [
      { ...organizer, responseStatus: 'accepted' },
      { _id: 'a'.repeat(24), firstName: 'Mia', lastName: 'Member', responseStatus: 'pending' },
    ],
    participantCount: overrides.participants?.length ?? 2,
    isRecurring: false,
    recurringFrequency: null,
    recurrence: null,
    recurringEndDate: null,
    isPast: false,
    isClosed: false,
    createdAt: '2026-11-20T09:00:00.000Z',
    updatedAt: '2026-11-20T09:00:00.000Z',
    version: 3,
    abilities: { update: true, delete: true, addNotes: true, respond: false },
    ...overrides,
  };
}
