import type { Project } from '@atrium/proto-events/http/projects';

/** The filters in the tracker's URL. */
export type TrackerFilterState = { search: string; status: string; priority: string; shown: string };

export const WHOLE: TrackerFilterState = { search: '', status: 'all', priority: 'all', shown: '1' };

/** By the label on the card: cancelled is under Planning. A map, because the URL may contain "constructor". */
const STATUSES = new Map<string, readonly Project['status'][]>([
  ['active', ['in-progress']],
  ['completed', ['completed']],
  ['paused', ['on-hold']],
  ['planning', ['not-started', 'cancelled']],
]);

/** Urgent is shown as high. */
const PRIORITIES = new Map<string, readonly Project['priority'][]>([
  ['high', ['urgent', 'high']],
  ['medium', ['medium']],
  ['low', ['low']],
]);

export const STATUS_FILTERS = [
  { value: 'all', label: 'All Status' },
  { value: 'active', label: 'Active' },
  { value: 'completed', label: 'Completed' },
  { value: 'paused', label: 'Paused' },
  { value: 'planning', label: 'Planning' },
] as const;

export const PRIORITY_FILTERS = [
  { value: 'all', label: 'All Priority' },
  { value: 'high', label: 'High/Urgent' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
] as const;

/** The query for the server; unknown values are ignored. */
export function filterQuery({ search, status, priority }: Omit<TrackerFilterState, 'shown'>) {
  return {
    search,
    status: STATUSES.get(status)?.join(',') ?? '',
    priority: PRIORITIES.get(priority)?.join(',') ?? '',
  };
}

export function isFiltered({ search, status, priority }: TrackerFilterState): boolean {
  return search !== '' || STATUSES.has(status) || PRIORITIES.has(priority);
}
