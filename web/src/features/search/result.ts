import type { Snippet } from '@atrium/proto-events/http/found';
import type { SearchType } from '@atrium/proto-events/http/search/everything';
import type { ReactNode } from 'react';

/** What a search found: a screen to open, or an action to run. `id` is also the DOM id of its row. */
export type Result = {
  id: string;
  name: string;
  /** The name with what matches marked, if the server found it. */
  title?: Snippet;
  snippet?: Snippet | null;
  detail?: string | undefined;
  icon: ReactNode;
} & ({ to: string } | { run: () => void });

export type Group = { name: string; results: readonly Result[] };

export const TYPE_LABELS: Readonly<Record<SearchType, string>> = {
  person: 'People',
  project: 'Projects',
  task: 'Tasks',
  meeting: 'Meetings',
  document: 'Documents',
  message: 'Messages',
};
export const SEARCH_TYPES = Object.keys(TYPE_LABELS) as SearchType[];

export const toSearchType = (text: string): SearchType | undefined => SEARCH_TYPES.find((type) => type === text);

/** The line about types that could not be searched. */
export function missingText(missing: readonly SearchType[], formatNames: (names: string[]) => string): string {
  const names = formatNames(
    missing.map((type, index) => (index === 0 ? TYPE_LABELS[type] : TYPE_LABELS[type].toLowerCase())),
  );
  return `${names} could not be searched.`;
}
