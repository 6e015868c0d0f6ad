export const PEOPLE_OF_EACH = 6;

export type PersonLike = {
  _id: string;
  firstName?: string;
  lastName?: string;
  email?: string | undefined;
  avatar?: string | null | undefined;
};

export function displayName(person: PersonLike | null | undefined): string {
  if (!person) return 'User';
  const name = [person.firstName, person.lastName].filter(Boolean).join(' ').trim();
  return name || person.email || 'User';
}

export function initials(person: PersonLike | null | undefined): string {
  const letters = [person?.firstName, person?.lastName].map((name) => Array.from(name?.trim() ?? '')[0] ?? '').join('');
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

export function nameOrCount(people: readonly PersonLike[]): string {
  return people.length === 1 ? displayName(people[0]) : `${people.length} people`;
}

export function countPeople(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

type Reachable = { _id: string; status: string; invited: boolean };

export const canMessage = ({ _id, status, invited }: Reachable, me: string): boolean =>
  _id !== me && status === 'active' && !invited;

export const directPath = (id: string): string => `/chat?with=${id}`;
