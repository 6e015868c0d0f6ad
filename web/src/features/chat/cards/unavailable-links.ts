import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';

/** Time after which a link that led nowhere is tried again, as others may have shared its target. */
const RETRY_MS = 5 * 60_000;

const failedAt = createUserScopedStore(() => new Map<string, number>());

/** Whether the target of a link was not found recently, so that scrolling does not request it again. */
export const isUnavailable = (path: string): boolean =>
  Date.now() - (failedAt.get().get(path) ?? Number.NEGATIVE_INFINITY) < RETRY_MS;

export function recordUnavailable(path: string): void {
  failedAt.get().set(path, Date.now());
}
