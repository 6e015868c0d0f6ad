/** Numbers of projects that the dashboard and the tracker show. */
export const COUNTED_STATUSES = {
  'not-started': 'notStarted',
  'in-progress': 'inProgress',
  'on-hold': 'onHold',
} as const;
export type Counts = Readonly<Record<string, number>>;

/** A write, and how clients recognize it. */
export type WrittenChange = {
  resource: string;
  version: number;
  key: string;
  /** Before its transaction was committed, by the clock that processes share. */
  at: number;
  respondedAt: number;
  durationMs: number;
  /** By how much it changes the numbers of projects. */
  counts?: Counts;
};
