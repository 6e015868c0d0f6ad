export const USERS_PER_ITEM = 6;

export type NamedUser = {
  _id: string;
  firstName?: string;
  lastName?: string;
  email?: string | undefined;
  avatar?: string | null | undefined;
};

export function displayName(user: NamedUser | null | undefined): string {
  if (!user) return 'User';
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ').trim();
  return name || user.email || 'User';
}

export function initials(user: NamedUser | null | undefined): string {
  const letters = [user?.firstName, user?.lastName].map((name) => Array.from(name?.trim() ?? '')[0] ?? '').join('');
  return letters.toUpperCase() || 'U';
}

export function roleLabel(role: string | null | undefined): string {
  if (!role) return 'Member';
  return role.replace('_', ' ').replace(/\b\w/g, (letter) => letter.toUpperCase());
}

export function roleAndDepartment({ role, department }: HasDepartment): string {
  return [role && roleLabel(role), department?.name].filter(Boolean).join(' · ');
}

type HasDepartment = { role?: string | undefined; department?: { name: string } | null | undefined };

export function nameOrCount(users: readonly NamedUser[]): string {
  return users.length === 1 ? displayName(users[0]) : `${users.length} people`;
}

/** The end of a list of names: nobody else, '1 other', or '5 others'. */
export const countOthers = (count: number): string[] =>
  count <= 0 ? [] : [count === 1 ? '1 other' : `${count} others`];

export function countPeople(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

type Reachable = { _id: string; status: string; invited: boolean };

export const canMessage = ({ _id, status, invited }: Reachable, currentUserId: string): boolean =>
  _id !== currentUserId && status === 'active' && !invited;

export const directPath = (id: string): string => `/chat?with=${id}`;
