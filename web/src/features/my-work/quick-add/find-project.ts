import { foldText } from '@atrium/proto-events/text/fold';

export type NamedProject = { _id: string; name: string };

export type FoundProject = {
  project: NamedProject;
  /** Length of the name in the text. */
  length: number;
};

const toKey = (text: string) => foldText(text.replaceAll('-', ' ')).trim();

/**
 * Finds the project that the text after `#` begins with: the longest name, or else the only project of which a word
 * begins with the first word of the text.
 */
export function findProject(text: string, projects: readonly NamedProject[]): FoundProject | undefined {
  const named = projects
    .filter(({ name }) => name !== '' && startsWithName(text, name))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  if (named) return { project: named, length: named.name.length };
  const [word = ''] = text.split(/\s/, 1);
  const matches = filterProjects(word, projects);
  const exact = matches.filter(({ name }) => toKey(name) === toKey(word));
  const [project] = exact.length === 1 ? exact : matches.length === 1 ? matches : [];
  return project && { project, length: word.length };
}

function startsWithName(text: string, name: string): boolean {
  const end = text.charAt(name.length);
  return (end === '' || /\s/.test(end)) && toKey(text.slice(0, name.length)) === toKey(name);
}

/** Filters projects whose name, or a later word of it, begins with what was typed. */
export function filterProjects<P extends NamedProject>(typed: string, projects: readonly P[]): P[] {
  const key = toKey(typed);
  if (key === '') return [];
  return projects.filter(({ name }) => ` ${toKey(name)}`.includes(` ${key}`));
}
