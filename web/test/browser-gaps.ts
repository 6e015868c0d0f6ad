import { TextDecoder as NodeTextDecoder } from 'node:util';

// Suites about the build and its inputs run in Node.
if (typeof document !== 'undefined') fillGaps();

function fillGaps(): void {
  /** jsdom lacks `CSS.escape`, which React Aria uses; sufficient for its ids. */
  globalThis.CSS ??= { escape: (text: string) => text.replace(/[^\w-]/g, '\\$&') } as typeof CSS;

  /** jsdom has no layout and no scrolling. */
  Element.prototype.scrollIntoView ??= () => undefined;
  window.scrollTo = () => undefined;

  /** React Aria checks it to handle presses as pointer events, as in every browser. */
  globalThis.PointerEvent ??= class extends MouseEvent {} as typeof PointerEvent;

  /** jsdom reads files only with `FileReader`. */
  File.prototype.arrayBuffer ??= function arrayBuffer(this: File) {
    return new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => {
        if (reader.result === null || typeof reader.result === 'string') return reject(new Error('No bytes'));
        resolve(new Uint8Array(reader.result).buffer);
      };
      reader.onerror = () => reject(reader.error ?? new Error('Failed to read the file'));
      reader.readAsArrayBuffer(this);
    });
  };

  globalThis.TextDecoder ??= NodeTextDecoder as typeof TextDecoder;
}
