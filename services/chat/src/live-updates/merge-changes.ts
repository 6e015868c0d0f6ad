import type { Change } from '@atrium/proto-events/realtime';
import { isMessage } from '@atrium/proto-events/responses/chat';

export const resourceKey = ({ resource, id }: Change): string => `${resource}:${id}`;

/** Events can arrive out of order. Those of some deletions have no version. */
export const isLater = (change: Change, previous: Change): boolean =>
  change.action === 'deleted' || change.version >= previous.version;

/** Changes with the same key are merged. A creation stays separate, because a list may include it and lack a later change. */
export const mergeKey = (change: Change): string => {
  const isCreation = change.action === 'created' && !isMessage(change);
  return isCreation ? `${resourceKey(change)}:created` : resourceKey(change);
};

/** Merges the changes of each resource, in the order of their last changes. */
export function mergeChanges(changes: readonly Change[]): Change[] {
  const mergedByKey = new Map<string, Change>();
  for (const change of changes) {
    const key = mergeKey(change);
    const previous = mergedByKey.get(key);
    mergedByKey.delete(key);
    mergedByKey.set(key, previous ? mergePair(previous, change) : change);
  }
  return [...mergedByKey.values()];
}

/**
 * The later change wins. A change without an item is about what no item shows, such as the place of a user in a project,
 * so the merged one has none either, and browsers request the resource. For messages, versions are seqs, and those of
 * created ones merge into a range.
 */
function mergePair(previous: Change, change: Change): Change {
  const {
    changed: _changed,
    previous: _previous,
    from: _from,
    item,
    ...latest
  } = isLater(change, previous) ? change : previous;
  const isKnown = latest.action === 'deleted' || (previous.item !== undefined && change.item !== undefined);
  const created = [previous, change].filter(({ action }) => action === 'created');
  const firstSeq = Math.min(...created.map(({ from, version: seq }) => from ?? seq));
  const revision = Math.max(previous.revision ?? 0, change.revision ?? 0);
  return {
    ...latest,
    ...(item && isKnown && { item }),
    ...(created.length > 0 && { action: 'created' }),
    tags: [...new Set([...previous.tags, ...change.tags])],
    ...(isMessage(latest) && firstSeq < latest.version && { from: firstSeq }),
    ...(revision > 0 && { revision }),
    ...(previous.changed && change.changed && { changed: [...new Set([...previous.changed, ...change.changed])] }),
  };
}
