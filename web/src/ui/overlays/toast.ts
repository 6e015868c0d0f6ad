import type { LucideIcon } from 'lucide-react';
import { createListeners } from '../../lib/listeners.ts';
import { createUserScopedStore } from '../../lib/session/user-scoped-store.ts';

/** One message that has no place of its own on the screen. */
export type ToastMessage = {
  tone: 'success' | 'info' | 'destructive';
  title: string;
  description?: string | undefined;
  /** In place of that of its tone. */
  icon?: LucideIcon;
  /** Of one that stays: until when, in milliseconds since 1970. It makes room for others and comes back after them. */
  until?: number;
  /** Of one that stays: by which it is withdrawn. */
  key?: string;
  /** Called when the person dismisses it. */
  onDismiss?: () => void;
  /** Offered for a while, such as to undo what it tells of. */
  action?: { label: string; onPress: () => void };
};
export type Toast = ToastMessage & { id: number };

const SHOWN_MS = 4_000;
/** Long enough to notice a slip and to reach the button. */
const ACTION_MS = 10_000;

let queue: readonly Toast[] = [];
let count = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let left = SHOWN_MS;
let since = 0;
let isHeld = false;
const listeners = createListeners();
/** What was told to who is here, by its id. It goes with them; what was told before they came, such as that they are in, stays. */
const ownToastIds = createUserScopedStore(
  () => new Set<number>(),
  (ids) => {
    for (const id of ids) dismissToast(id);
  },
);

function setQueue(next: readonly Toast[]): void {
  const before = currentToast();
  queue = next.filter(({ until = Number.POSITIVE_INFINITY }) => until > Date.now());
  if (currentToast() !== before) begin();
  listeners.notify();
}

/** Toasts come one at a time, for about four seconds; pointing at one holds it. */
export function showSuccess(title: string, description?: string): void {
  show({ tone: 'success', title, description });
}

/** Removes the offer to undo something, which is undone or overtaken. */
export function withdrawUndo(): void {
  if (currentToast()?.action) isHeld = false;
  const next = queue.filter(({ action }) => action === undefined);
  if (next.length < queue.length) setQueue(next);
}

/** Whether something can be undone at the moment. */
export const isUndoOffered = (): boolean => queue.some(({ action }) => action !== undefined);

/** A success that can be undone for a while. A newer one replaces it. */
export function showUndoable(title: string, onPress: () => void): void {
  withdrawUndo();
  show({ tone: 'success', title, action: { label: 'Undo', onPress } });
}

type Reminder = Required<Pick<ToastMessage, 'icon' | 'title' | 'until' | 'key' | 'onDismiss'>>;

/** Stays until it is dismissed, withdrawn, or past; it is shown once for each key. */
export function showReminder(reminder: Reminder): void {
  if (!queue.some(({ key }) => key === reminder.key)) show({ tone: 'info', ...reminder });
}

/** Removes the reminders of which `isDue` is false. */
export function withdrawReminders(isDue: (key: string) => boolean): void {
  const next = queue.filter(({ key }) => key === undefined || isDue(key));
  if (next.length < queue.length) setQueue(next);
}

export function showError(title: string, description?: string): void {
  show({ tone: 'destructive', title, description });
}

function show(message: ToastMessage): void {
  // Ten files that fail alike say so once, after what is shown.
  if (queue.some((waiting) => waiting !== currentToast() && isSame(waiting, message))) return;
  count += 1;
  ownToastIds.get().add(count);
  setQueue([...queue, { ...message, id: count }]);
}

const isSame = (one: ToastMessage, other: ToastMessage) =>
  one.tone === other.tone &&
  one.title === other.title &&
  one.description === other.description &&
  one.action === other.action;

/** The one that is shown; the others wait for their turn, and those that stay for all that pass. */
export function currentToast(): Toast | undefined {
  return queue.find(({ until }) => until === undefined) ?? queue[0];
}

export const onToastChange = listeners.subscribe;

export function dismissToast(id: number): void {
  if (id === currentToast()?.id) isHeld = false;
  setQueue(queue.filter((toast) => toast.id !== id));
}

/** While it is pointed at or has the focus. */
export function holdToast(): void {
  if (isHeld) return;
  isHeld = true;
  clearTimeout(timer);
  left -= Date.now() - since;
}

export function releaseToast(): void {
  if (!isHeld) return;
  isHeld = false;
  run();
}

function begin(): void {
  clearTimeout(timer);
  left = currentToast()?.action ? ACTION_MS : SHOWN_MS;
  if (!isHeld) run();
}

function run(): void {
  const shown = currentToast();
  if (!shown) return;
  since = Date.now();
  const { id, until } = shown;
  timer = setTimeout(() => dismissToast(id), until === undefined ? left : until - since);
}
