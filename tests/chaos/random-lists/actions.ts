/** What the user of a browser does. Each applies to an item that the browser shows, if the user is allowed to. */
export const WRITES = [
  'create a task',
  'rename a task',
  'move a task',
  'prioritize a task',
  'assign a task',
  'comment on a task',
  'delete a task',
  'create a project',
  'rename a project',
  'change the status of a project',
  'delete a project',
  'add a team member',
  'remove a team member',
  'rename a user',
  'change your name',
  'change a role',
  'move a user to a department',
  'create a department',
  'rename a department',
  'delete a department',
  'schedule a meeting',
  'rename a meeting',
  'respond to a meeting',
  'cancel a meeting',
  'rename a document',
  'delete a document',
] as const;
export type Write = (typeof WRITES)[number];

/** `random` chooses the item and the value. */
export type Action =
  | { do: Write; random: readonly number[]; name: string }
  | { do: 'offline' | 'online' }
  /** Compares the responses with fresh ones: all, or those that differed at the last comparison. */
  | { do: 'compare'; only?: 'different' };

export type Figures = {
  /** Responses that changes edited. */
  patched: number;
  /** Requests for responses that changes can edit, and for others. */
  requested: number;
  computed: number;
  /** Items of all lists that are shown. */
  items: number;
};

export type Result = {
  /** Whether the user could do it. */
  isDone: boolean;
  differences: readonly string[];
  figures: Figures;
};

/** `keys` are those of responses; `lists` are shown with two pages. */
export type Screens = { keys: readonly string[]; lists: readonly string[] };
