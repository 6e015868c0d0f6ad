/** Users per list item; more than any row shows. */
export const PEOPLE_OF_EACH = 6;

/** The fields needed to display a user; API summaries and full users both fit. */
export type PersonLike = {
  _id: string;
  firstName?: string;
  lastName?: string;
  email?: string | undefined;
  avatar?: string | null | undefined;
};

/** First and last name, otherwise the email, otherwise 'User'. */
export function displayName(person: PersonLike | null | undefined): string {
  if (!person) return 'User';
  const name = [person.firstName, person.lastName].filter(Boolean).join(' ').trim();
  return name || person.email || 'User';
}

/** First letters of first and last name in upper case, otherwise U. */
export function initials(person: PersonLike | null | undefined): string {
  const letters = [person?.firstName, person?.lastName].map((name) => Array.from(name?.trim() ?? '')[0] ?? '').join('');
  return letters.toUpperCase() || 'U';
}

/** `project_manager` as 'Project Manager'; 'Member' without a role. */
export function roleLabel(role: string | null | undefined): string {
  if (!role) return 'Member';
  return role.replace('_', ' ').replace(/\b\w/g, (letter) => letter.toUpperCase());
}

/** 'Project Manager · Design', with unknown parts left out. */
export function roleAndDepartment({ role, department }: HasDepartment): string {
  return [role && roleLabel(role), department?.name].filter(Boolean).join(' · ');
}

type HasDepartment = { role?: string | undefined; department?: { name: string } | null | undefined };

/** 'Lena Brandt', '3 people'. */
export function nameOrCount(people: readonly PersonLike[]): string {
  return people.length === 1 ? displayName(people[0]) : `${people.length} people`;
}

/** '1 participant', '3 participants'. */
export function countPeople(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

type Reachable = { _id: string; status: string; invited: boolean };

/** True if the user can sign in and is not the current user. */
export const canMessage = ({ _id, status, invited }: Reachable, me: string): boolean =>
  _id !== me && status === 'active' && !invited;

/** The path of the direct conversation with a user. */
export const directPath = (id: string): string => `/chat?with=${id}`;
