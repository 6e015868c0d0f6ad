/** How many people each item of a list has; more than any row shows (decisions, section 10). */
export const PEOPLE_OF_EACH = 6;

/** What is needed to show a person; the API's summaries and users both fit. */
export type PersonLike = {
  _id: string;
  firstName?: string;
  lastName?: string;
  email?: string | undefined;
  avatar?: string | null | undefined;
};

/** First and last name joined, else the e-mail, else 'User' (specification, section 3). */
export function displayName(person: PersonLike | null | undefined): string {
  if (!person) return 'User';
  const name = [person.firstName, person.lastName].filter(Boolean).join(' ').trim();
  return name || person.email || 'User';
}

/** First letters of first and last name, upper-cased, else U. */
export function initials(person: PersonLike | null | undefined): string {
  const letters = [person?.firstName, person?.lastName].map((name) => Array.from(name?.trim() ?? '')[0] ?? '').join('');
  return letters.toUpperCase() || 'U';
}

/** `project_manager` as 'Project Manager'; 'Member' without a role. */
export function roleLabel(role: string | null | undefined): string {
  if (!role) return 'Member';
  return role.replace('_', ' ').replace(/\b\w/g, (letter) => letter.toUpperCase());
}

/** 'Project Manager · Design', as far as it is known. */
export function roleAndDepartment({ role, department }: Placed): string {
  return [role && roleLabel(role), department?.name].filter(Boolean).join(' · ');
}

type Placed = { role?: string | undefined; department?: { name: string } | null | undefined };

/** 'Lena Brandt', '3 people'. */
export function nameOrCount(people: readonly PersonLike[]): string {
  return people.length === 1 ? displayName(people[0]) : `${people.length} people`;
}

/** '1 participant', '3 participants'. */
export function countPeople(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

type Reachable = { _id: string; status: string; invited: boolean };

/** Whether a direct conversation with a person is of use: they can sign in, and are somebody else. */
export const canMessage = ({ _id, status, invited }: Reachable, me: string): boolean =>
  _id !== me && status === 'active' && !invited;

/** Where the direct conversation with a person opens. */
export const directPath = (id: string): string => `/chat?with=${id}`;
