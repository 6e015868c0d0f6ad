import type { Actors } from './actors.ts';
import type { IdSet } from './channels.ts';
import type { KindName } from './kinds.ts';

/** A created resource. */
export type FixtureResource = {
  kind: KindName;
  id: string;
  /** The set that the id belongs to. Undefined if no endpoint takes it. */
  idSet?: IdSet;
  /** The task of a comment, or the conversation of a message. */
  parentId?: string;
  /** Of a reply. */
  rootId?: string;
};

export type VisibilityFixture = {
  url: string;
  actors: Actors;
  resources: FixtureResource[];
  /** The versions of resources when users were removed. Later versions must not reach those users. */
  versionsAtRemoval: Map<string, number>;
  /** The id of the message with the `deleted attachment`. */
  deletedFileMessageId?: string;
};

export type CreatedResource = { _id: string; version: number };
export const markFields = (mark: string, ...fields: string[]) =>
  Object.fromEntries(fields.map((field) => [field, `${mark} ${field}`]));

export const idOf = ({ resources }: Pick<VisibilityFixture, 'resources'>, kind: KindName): string => {
  const resource = resources.find((candidate) => candidate.kind === kind);
  if (!resource) throw new Error(`No ${kind} in the fixture`);
  return resource.id;
};

/** Adds a resource to the fixture and returns its id. */
export function recordItem(
  { resources }: VisibilityFixture,
  kind: KindName,
  id: string,
  idSet?: IdSet,
  parentId?: string,
): string {
  resources.push({ kind, id, ...(idSet && { idSet }), ...(parentId && { parentId }) });
  return id;
}
