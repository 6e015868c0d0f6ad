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

/** A hue from 0 to 359 made from an id, the same everywhere. */
export function hueOf(id: string): number {
  let hash = 2166136261;
  for (const character of id) hash = Math.imul(hash ^ character.charCodeAt(0), 16777619);
  return (hash >>> 0) % 360;
}

/** `project_manager` as 'Project Manager'; 'Member' without a role. */
export function roleLabel(role: string | null | undefined): string {
  if (!role) return 'Member';
  return role.replace('_', ' ').replace(/\b\w/g, (letter) => letter.toUpperCase());
}
