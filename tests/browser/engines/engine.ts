/** An element that a driver references. */
export type Handle = {
  click(): Promise<void>;
  type(text: string): Promise<void>;
};

/**
 * A page in any browser, with the few operations that every driver supports. Scripts are function bodies without
 * arguments.
 */
export type Window = {
  goto(url: string): Promise<void>;
  run<T>(script: string): Promise<T>;
  find(script: string): Promise<Handle | null>;
  press(key: string): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  screenshot(file: string): Promise<void>;
  /** Returns the errors since the last call. */
  errors(): Promise<string[]>;
  close(): Promise<void>;
};

/** A browser other than Chromium. Windows have separate storage. */
export type Engine = {
  version: string;
  open(): Promise<Window>;
  close(): Promise<void>;
};
