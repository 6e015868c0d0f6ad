/** Something on a page that a driver holds. */
export type Handle = {
  click(): Promise<void>;
  type(text: string): Promise<void>;
};

/** A page in some browser, by the few things that every driver can do. Scripts are the bodies of functions without arguments. */
export type Window = {
  goto(url: string): Promise<void>;
  run<T>(script: string): Promise<T>;
  find(script: string): Promise<Handle | null>;
  press(key: string): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  screenshot(file: string): Promise<void>;
  /** What went wrong in it since it was last asked. */
  faults(): Promise<string[]>;
  close(): Promise<void>;
};

/** A browser other than Chromium. Each window stores its own things and knows nothing of the others. */
export type Engine = {
  version: string;
  open(): Promise<Window>;
  close(): Promise<void>;
};
