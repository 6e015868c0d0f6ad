/** The app's modules read the address of the page when they load; each browser here connects to an address of its own. */
Object.defineProperty(globalThis, 'window', {
  value: Object.assign(new EventTarget(), { location: { origin: 'http://127.0.0.1' } }),
});
