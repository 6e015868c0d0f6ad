/** One message that has no place of its own on the screen. */
export type ToastMessage = { tone: 'success' | 'destructive'; title: string; description?: string | undefined };

type Receiver = (message: ToastMessage) => void;

let receiver: Receiver | null = null;
let waiting: ToastMessage | null = null;
const onWanted = new Set<() => void>();

function show(message: ToastMessage): void {
  if (receiver) {
    receiver(message);
    return;
  }
  waiting = message;
  for (const notify of onWanted) notify();
}

/** Toasts come one at a time, for about four seconds; pointing at one holds it. */
export function showSuccess(title: string, description?: string): void {
  show({ tone: 'success', title, description });
}

export function showError(title: string, description?: string): void {
  show({ tone: 'destructive', title, description });
}

/** The toaster is loaded with the first message: called once when one waits. */
export function whenToastWanted(notify: () => void): () => void {
  onWanted.add(notify);
  if (waiting) notify();
  return () => onWanted.delete(notify);
}

export function receiveToasts(next: Receiver): () => void {
  receiver = next;
  if (waiting) next(waiting);
  waiting = null;
  return () => {
    receiver = null;
  };
}
