import { AsyncLocalStorage } from 'node:async_hooks';

export type RequestContext = {
  requestId: string;
  userId?: string;
  address?: string;
};

/**
 * Holds the request in progress. It is set where work enters the process (HTTP, subscription, socket) and read by the
 * logger and the outbox.
 */
export const requestContext = new AsyncLocalStorage<RequestContext>();
