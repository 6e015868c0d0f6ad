import type { User } from '@atrium/proto-events/people';

/** Builds a user whose id consists of the letter. */
export function buildUser(letter: string, overrides: Partial<User> = {}): User {
  return {
    _id: letter.repeat(24),
    firstName: letter.toUpperCase(),
    lastName: 'Example',
    email: `${letter}@example.org`,
    phone: '',
    location: '',
    department: null,
    role: 'member',
    status: 'active',
    invited: false,
    bio: '',
    skills: [],
    avatar: null,
    timezone: 'Europe/Berlin',
    joinDate: '2026-01-01T00:00:00.000Z',
    lastLogin: null,
    tasksCompleted: 0,
    version: 1,
    ...overrides,
  };
}
