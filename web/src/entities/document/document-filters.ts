import type { DocumentKind } from '@atrium/proto-events/http/documents';
import { isId } from '#lib/paths.ts';
import { VISIBILITY_LABELS } from './document-labels.ts';

const ALL = 'all';

const KIND_LABELS: Record<DocumentKind, string> = {
  image: 'Images',
  pdf: 'PDF',
  document: 'Text documents',
  spreadsheet: 'Spreadsheets',
  presentation: 'Presentations',
  text: 'Plain text',
  audio: 'Audio',
  video: 'Video',
  archive: 'Archives',
  other: 'Other files',
};

type Visibility = keyof typeof VISIBILITY_LABELS;
const buildOptions = <Value extends string>(allLabel: string, labels: Record<Value, string>) => [
  { value: ALL, label: allLabel },
  ...Object.entries<string>(labels).map(([value, label]) => ({ value, label })),
];

export const KIND_FILTERS = buildOptions('All types', KIND_LABELS);
export const VISIBILITY_FILTERS = buildOptions('All visibilities', VISIBILITY_LABELS);

export const SORTS = [
  { value: 'newest', label: 'Newest first', query: { sortBy: 'createdAt', sortOrder: 'desc' } },
  { value: 'oldest', label: 'Oldest first', query: { sortBy: 'createdAt', sortOrder: 'asc' } },
  { value: 'name', label: 'Name, A to Z', query: { sortBy: 'name', sortOrder: 'asc' } },
  { value: 'name-down', label: 'Name, Z to A', query: { sortBy: 'name', sortOrder: 'desc' } },
  { value: 'largest', label: 'Largest first', query: { sortBy: 'size', sortOrder: 'desc' } },
  { value: 'smallest', label: 'Smallest first', query: { sortBy: 'size', sortOrder: 'asc' } },
] as const;
const [NEWEST] = SORTS;

export const DEFAULT_HUB_FILTERS = {
  search: '',
  page: '1',
  project: '',
  type: ALL,
  visibility: ALL,
  by: '',
  tag: '',
  sort: NEWEST.value as string,
};
export type HubFilterState = typeof DEFAULT_HUB_FILTERS;

const MAX_TAG_LENGTH = 50;
const isKind = (value: string): value is DocumentKind => value in KIND_LABELS;
const isVisibility = (value: string): value is Visibility => value in VISIBILITY_LABELS;

/** The URL may hold any value; invalid ones are left out. */
export function hubQuery({ type, visibility, by, tag, project, sort }: HubFilterState) {
  return {
    ...(isKind(type) && { kind: type }),
    ...(isVisibility(visibility) && { visibility }),
    ...(isId(by) && { uploadedBy: by }),
    ...(isId(project) && { project }),
    ...(tag !== '' && tag.length <= MAX_TAG_LENGTH && { tag }),
    ...(SORTS.find(({ value }) => value === sort) ?? NEWEST).query,
  };
}

export const isNarrowed = ({ search, type, visibility, by, tag }: HubFilterState) =>
  search !== '' || isKind(type) || isVisibility(visibility) || isId(by) || tag !== '';
