import type { UserSummary } from '@atrium/proto-events/people';
import { isolate } from '@atrium/proto-events/text/isolate';
import { type NamedUser, nameOrCount } from '#entities/user/user-labels.ts';
import { showSuccess } from '#ui/overlays/toast.ts';
import type { MembershipChange } from '../../chat-event-handlers.ts';

/** People are added one request at a time, so notices are collected for this long. */
const DEBOUNCE_MS = 500;

export function createMembershipToasts() {
  const pending = new Map<MembershipChange, NamedUser[]>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    for (const [kind, users] of pending) showMembershipToast(kind, users);
    pending.clear();
  };
  return {
    record(kind: MembershipChange, user: UserSummary): void {
      pending.set(kind, [...(pending.get(kind) ?? []), user]);
      timer ??= setTimeout(flush, DEBOUNCE_MS);
    },
    stop(): void {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

export function showMembershipToast(kind: MembershipChange, users: readonly NamedUser[]): void {
  if (users.length > 0) showSuccess(`${isolate(nameOrCount(users))} ${kind} the conversation`);
}
