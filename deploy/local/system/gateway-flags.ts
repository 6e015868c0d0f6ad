/**
 * How Node is to run the gateway: `node <these> gateway/src/main.ts`. What passes through comes in pieces of 64 KB, which V8 counts as
 * memory outside of its heap. With the usual young generation of 16 MB those that are long gone pile up until that count alone sets
 * off collections of the whole heap; with 1 MB they are gone before (gateway/README.md has figures).
 */
export const GATEWAY_FLAGS = ['--max-semi-space-size=1'] as const;
