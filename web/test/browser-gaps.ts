import { TextDecoder as NodeTextDecoder } from 'node:util';

/** What jsdom lacks and React Aria asks for: `CSS.escape`, enough for the ids it makes. */
globalThis.CSS ??= { escape: (text: string) => text.replace(/[^\w-]/g, '\\$&') } as typeof CSS;

/** It lays nothing out, so that there is nowhere to scroll to. */
Element.prototype.scrollIntoView ??= () => undefined;
window.scrollTo = () => undefined;

/** By it React Aria knows whether presses come as pointers, as they do in every browser. */
globalThis.PointerEvent ??= class extends MouseEvent {} as typeof PointerEvent;

/** It reads files only by `FileReader`. */
File.prototype.arrayBuffer ??= function arrayBuffer(this: File) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      if (reader.result === null || typeof reader.result === 'string') return reject(new Error('No bytes'));
      resolve(new Uint8Array(reader.result).buffer);
    };
    reader.onerror = () => reject(reader.error ?? new Error('Not read'));
    reader.readAsArrayBuffer(this);
  });
};

globalThis.TextDecoder ??= NodeTextDecoder as typeof TextDecoder;
