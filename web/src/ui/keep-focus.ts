const CONTROLS = 'a[href], button:enabled, input:enabled, textarea:enabled';

/**
 * A ref for a container with `tabIndex={-1}`. If a list item is removed while it has focus, or the focused part of it,
 * focus moves to the same item, the next, or the previous one, or else to the container.
 */
export function keepFocus(container: HTMLElement): () => void {
  let focused: { element: Element; item: Element | null; index: number } | undefined;
  const listItems = () => [...container.querySelectorAll('li')];
  const onFocusIn = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return;
    const item = target.closest('li');
    focused = { element: target, item, index: item ? listItems().indexOf(item) : -1 };
  };
  const onFocusOut = () => {
    // Browsers differ in whether a removed element loses focus with an event.
    queueMicrotask(() => {
      if (focused?.element.isConnected && !container.contains(document.activeElement)) focused = undefined;
    });
  };
  const onRemoval = () => {
    if (!focused || focused.element.isConnected) return;
    const { item, index } = focused;
    focused = undefined;
    if (document.activeElement !== document.body) return;
    const items = listItems();
    const next = item?.isConnected ? item : index < 0 ? undefined : (items[index] ?? items.at(-1));
    (next?.querySelector<HTMLElement>(CONTROLS) ?? container).focus({ preventScroll: true });
  };
  const observer = new MutationObserver(onRemoval);
  observer.observe(container, { childList: true, subtree: true });
  container.addEventListener('focusin', onFocusIn);
  container.addEventListener('focusout', onFocusOut);
  return () => {
    observer.disconnect();
    container.removeEventListener('focusin', onFocusIn);
    container.removeEventListener('focusout', onFocusOut);
  };
}
