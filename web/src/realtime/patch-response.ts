import type { Membership } from '@atrium/proto-events/abilities/projects';
import type { Viewer } from '@atrium/proto-events/abilities/viewer';
import type { Tag } from '@atrium/proto-events/change-tags';
import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import type { Change } from '@atrium/proto-events/realtime';
import { presentItem } from '@atrium/proto-events/responses/present';
import type {
  ItemResponse,
  ListResponse,
  ResponseDefinition,
  ResponseRequest,
  StaticResponse,
} from '@atrium/proto-events/responses/response';
import { findResponse } from '@atrium/proto-events/responses/responses';
import { isRecord } from '#lib/is-record.ts';
import { type Edited, isUnpatched, mergeEdited } from '#lib/query/query-cache.ts';
import { hasChanged, type Item, isOlder, itemsOf } from './items.ts';
import { patchList } from './patch-list.ts';
import { replaceReferences } from './replace-references.ts';

export type PatchContext = {
  viewer: Viewer;
  /** Today in the viewer's time zone, as YYYY-MM-DD. */
  today: string;
  /** The viewer's place in a project; undefined if it is unknown. */
  membershipIn: (projectId: string) => Membership | undefined;
};

const unchanged = (data: unknown): Edited => ({ data, isStale: false });
const stale = (data: unknown): Edited => ({ data, isStale: true });

/**
 * Applies changes to the response of a request: patches it, reports that it is stale, or leaves it. Idempotent, so that
 * a response may already include the changes.
 */
export function patchResponse(key: string, data: unknown, changes: readonly Change[], context: PatchContext): Edited {
  const matched = findResponse(key);
  if (!matched || matched.definition.kind === 'static') return unchanged(data);
  const { definition } = matched;
  const request = { ...matched.request, viewer: context.viewer };
  const response = { definition, request, tags: definition.tags(request), context };
  return changes.reduce<Edited>(
    (edited, change) => mergeEdited(edited, patchWith(edited.data, change, response)),
    unchanged(data),
  );
}

type Response = {
  definition: Exclude<ResponseDefinition, StaticResponse>;
  request: ResponseRequest;
  tags: readonly Tag[];
  context: PatchContext;
};

function patchWith(data: unknown, change: Change, { definition, request, tags, context }: Response): Edited {
  const affected = tags.filter((tag) => change.tags.includes(tag));
  if (affected.length === 0) return unchanged(data);
  const isOwnResource = definition.kind !== 'computed' && definition.resource === change.resource;
  // Users and departments appear in other resources by name.
  if (!isOwnResource && affected.every((tag) => tag === 'people'))
    return change.item || change.action === 'deleted'
      ? unchanged(renameIn(data, { change, definition, context }))
      : stale(data);
  if (definition.kind === 'computed') return definition.isAffected(change, data) ? stale(data) : unchanged(data);
  if (!isOwnResource) return stale(data);
  const partialFields = definition.partialFields?.(request) ?? [];
  const isPartlyUnknown = hasChanged(change, partialFields);
  return patch(data, { definition, request, change, context, partialFields, isPartlyUnknown });
}

type OwnResource = {
  definition: ListResponse | ItemResponse;
  request: Omit<ResponseRequest, 'viewer'>;
  context: PatchContext;
};

/** Applies a change with the whole resource, as the response of a write contains it. */
export function patchOwnResource(data: unknown, change: Change, { definition, request, context }: OwnResource): Edited {
  const ownRequest = { ...request, viewer: context.viewer };
  // Such as the comments of a task, which only its own response contains.
  const partialFields = (definition.partialFields?.(ownRequest) ?? []).filter((name) => !(name in (change.item ?? {})));
  return patch(data, { definition, request: ownRequest, change, context, partialFields, isPartlyUnknown: false });
}

type PatchParams = ItemChange & { definition: ListResponse | ItemResponse; request: ResponseRequest };

function patch(data: unknown, { definition, request, ...itemChange }: PatchParams): Edited {
  if (definition.kind === 'item') return patchItem(data, itemChange);
  const { change, partialFields, isPartlyUnknown } = itemChange;
  const list = definition as unknown as ListResponse<Item>;
  return patchList(data, {
    change,
    request,
    definition: list,
    isPartlyUnknown,
    isWholeItem: partialFields.length === 0 && isMembershipKnown(itemChange),
    isMembershipUnknown: isLongTeamUnknown(itemChange),
    merge: (current) => {
      const item = toItem(current, itemChange);
      return list.toListed?.(item, request) ?? item;
    },
  });
}

/** The abilities for a task depend on the viewer's place in its project. */
function isMembershipKnown({ change: { resource, item }, context }: ItemChange): boolean {
  const { membership, project } = { ...item } as Partial<Task>;
  return resource !== 'task' || membership !== undefined || context.membershipIn(project ?? '') !== undefined;
}

/** The item of an event has only the first members of a team, so that it may not show that the viewer is one. */
function isLongTeamUnknown({ change: { resource, item }, context }: ItemChange): boolean {
  if (resource !== 'project' || !item) return false;
  const { _id, membership, projectManager, teamMembers, memberCount } = item as Project;
  const isShown = [projectManager, ...teamMembers].some((user) => user._id === context.viewer.userId);
  const isKnown = membership !== undefined || isShown || context.membershipIn(_id) !== undefined;
  return !isKnown && teamMembers.length < memberCount;
}

type ItemChange = {
  change: Change;
  context: PatchContext;
  /** Fields that the item of the change lacks, or has only in part. */
  partialFields: readonly string[];
  /** Whether one of these has changed. */
  isPartlyUnknown: boolean;
};

function patchItem(data: unknown, itemChange: ItemChange): Edited {
  const { change, isPartlyUnknown } = itemChange;
  if (!isRecord(data)) return stale(data);
  if (typeof data._id === 'string' && data._id !== change.id) return unchanged(data);
  if (isOlder(change, data) || isFromAfter(data, change)) return unchanged(data);
  if (!change.item || isPartlyUnknown || change.action === 'deleted') return stale(data);
  return unchanged(toItem(data as Item, itemChange));
}

/**
 * Whether a response is from after the change: after a creation, or after any change of a project. Each of these has its
 * own version, even that of a place in its team, which the item of a later change does not show.
 */
function isFromAfter(data: Readonly<Record<string, unknown>>, { resource, action, version }: Change): boolean {
  const isVersioned = action === 'created' || (action === 'updated' && resource === 'project');
  return isVersioned && isUnpatched(data) && Number(data.version) >= version;
}

/** Returns the item of a change as the viewer sees it, with those fields of the current one that events lack. */
function toItem(current: Item | undefined, { change, context, partialFields }: ItemChange): Item {
  const keep = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(current ?? {}).filter(([name]) => names.includes(name)));
  const item = { ...keep(['membership']), ...change.item, ...keep(partialFields) } as Item;
  return present(change.resource, item, context);
}

function present(resource: Change['resource'], item: Item, context: PatchContext): Item {
  const membershipIn = (projectId: string) =>
    item.membership === undefined ? (context.membershipIn(projectId) ?? null) : (item.membership as Membership);
  return presentItem(resource, item, { ...context, membershipIn }) as Item;
}

type Renaming = { change: Change; definition: ResponseDefinition; context: PatchContext };

/** Abilities may depend on whether a user has left, so items are presented again. */
function renameIn(data: unknown, { change, definition, context }: Renaming): unknown {
  const renamed = replaceReferences(data, change);
  if (renamed === data || definition.kind === 'computed' || definition.kind === 'static') return renamed;
  const presentAgain = (item: Item) => present(definition.resource, item, context);
  if (definition.kind === 'item') return presentAgain(renamed as Item);
  const items = itemsOf(renamed).map(presentAgain);
  return Array.isArray(renamed) ? items : { ...(renamed as object), data: items };
}
