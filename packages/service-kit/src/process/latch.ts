export type Latch = { isOpen(): boolean; opened: Promise<void>; open(): void };

export function createLatch(): Latch {
  const { promise: opened, resolve } = Promise.withResolvers<void>();
  let isOpen = false;
  return {
    isOpen: () => isOpen,
    opened,
    open() {
      isOpen = true;
      resolve();
    },
  };
}
