/** What jsdom lacks and React Aria asks for: `CSS.escape`, enough for the ids it makes. */
globalThis.CSS ??= { escape: (text: string) => text.replace(/[^\w-]/g, '\\$&') } as typeof CSS;

/** It lays nothing out, so that there is nowhere to scroll to. */
Element.prototype.scrollIntoView ??= () => undefined;
window.scrollTo = () => undefined;

/** By it React Aria knows whether presses come as pointers, as they do in every browser. */
globalThis.PointerEvent ??= class extends MouseEvent {} as typeof PointerEvent;
