import { AsyncLocalStorage } from 'node:async_hooks';

/** What travels with one request, event or socket message through every layer, for logs and events. */
export type RequestContext = {
  requestId: string;
  userId?: string;
  /** The client's network address, as the trusted proxies tell it. */
  address?: string;
};

/** Set where work enters the process (HTTP, subscription, socket) and read by the logger and the outbox. */
export const requestContext = new AsyncLocalStorage<RequestContext>();
