import type { LucideIcon } from 'lucide-react';
import { messageOf } from '#lib/api/api-error.ts';
import type { AnnouncedFailure } from '#lib/forms/use-entry-form.ts';
import { createListeners } from '#lib/listeners.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';

type ToastMessage = {
  tone: 'success' | 'info' | 'destructive';
  title: string;
  description?: string | undefined;
  icon?: LucideIcon;
  /** When a persistent toast ends, in milliseconds since 1970. */
  until?: number;
  key?: string;
  onDismiss?: () => void;
  action?: { label: string; onPress: () => void };
};
export type Toast = ToastMessage & { id: number };

const DISPLAY_MS = 4_000;
const ACTION_MS = 10_000;

let queue: readonly Toast[] = [];
let count = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let remainingMs = DISPLAY_MS;
let startedAt = 0;
let isHeld = false;
const listeners = createListeners();
/** Toasts from before sign-in, such as the success of signing in, stay when the user changes. */
const ownToastIds = createUserScopedStore(
  () => new Set<number>(),
  (ids) => {
    for (const id of ids) dismissToast(id);
  },
);

function setQueue(next: readonly Toast[]): void {
  const previousToast = currentToast();
  queue = next.filter(({ until = Number.POSITIVE_INFINITY }) => until > Date.now());
  if (currentToast() !== previousToast) begin();
  listeners.notify();
}

export function showSuccess(title: string, description?: string): void {
  show({ tone: 'success', title, description });
}

export function withdrawUndo(): void {
  if (currentToast()?.action) isHeld = false;
  const next = queue.filter(({ action }) => action === undefined);
  if (next.length < queue.length) setQueue(next);
}

/** Returns a function that undoes as the button does; it returns false once this toast has ended. */
export function showUndoable(title: string, onUndo: () => void): () => boolean {
  withdrawUndo();
  const action = { label: 'Undo', onPress: onUndo };
  show({ tone: 'success', title, action });
  return () => {
    const toast = queue.find((queued) => queued.action === action);
    if (!toast) return false;
    dismissToast(toast.id);
    onUndo();
    return true;
  };
}

type Reminder = Required<Pick<ToastMessage, 'icon' | 'title' | 'until' | 'key' | 'onDismiss'>>;

export function showReminder(reminder: Reminder): void {
  if (!queue.some(({ key }) => key === reminder.key)) show({ tone: 'info', ...reminder });
}

export function withdrawReminders(isDue: (key: string) => boolean): void {
  const next = queue.filter(({ key }) => key === undefined || isDue(key));
  if (next.length < queue.length) setQueue(next);
}

export function showError(title: string, description?: string): void {
  show({ tone: 'destructive', title, description });
}

function show(message: ToastMessage): void {
  if (queue.some((queued) => queued !== currentToast() && isSame(queued, message))) return;
  count += 1;
  ownToastIds.get().add(count);
  setQueue([...queue, { ...message, id: count }]);
}

const isSame = (a: ToastMessage, b: ToastMessage) =>
  a.tone === b.tone && a.title === b.title && a.description === b.description && a.action === b.action;

export function currentToast(): Toast | undefined {
  return queue.find(({ until }) => until === undefined) ?? queue[0];
}

export const onToastChange = listeners.subscribe;

export function dismissToast(id: number): void {
  if (id === currentToast()?.id) isHeld = false;
  setQueue(queue.filter((toast) => toast.id !== id));
}

export function holdToast(): void {
  if (isHeld) return;
  isHeld = true;
  clearTimeout(timer);
  remainingMs -= Date.now() - startedAt;
}

export function releaseToast(): void {
  if (!isHeld) return;
  isHeld = false;
  run();
}

function begin(): void {
  clearTimeout(timer);
  remainingMs = currentToast()?.action ? ACTION_MS : DISPLAY_MS;
  if (!isHeld) run();
}

function run(): void {
  const toast = currentToast();
  if (!toast) return;
  startedAt = Date.now();
  const { id, until } = toast;
  timer = setTimeout(() => dismissToast(id), until === undefined ? remainingMs : until - startedAt);
}

export function announceFailure(title: string, reason: string): AnnouncedFailure {
  showError(title, reason);
  return { reason, isAnnounced: true };
}

export const showErrorToast = (error: unknown, fallback: string, title = 'Error'): AnnouncedFailure =>
  announceFailure(title, messageOf(error, fallback));

type Failing = {
  form: { setFailure: (failure: AnnouncedFailure) => void };
  isPlaced?: boolean;
};

export function reportFailure({ form, isPlaced = false }: Failing, error: unknown, fallback: string): void {
  const failure = showErrorToast(error, fallback);
  if (!isPlaced) form.setFailure(failure);
}
